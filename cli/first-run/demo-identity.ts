import type { Db } from '../../db/schema.ts'
import { linkIdentity, setDegen, setOperator } from '../../db/metering/write.ts'
import { hashApiKey } from '../../db/values/api-key.ts'
import { DEMO_SUBJECT, OPERATOR_SUBJECT, SHELL_CLIENT } from '../../db/values/demo-names.ts'

/**
 * Links the demo user and the shell client of the embedded issuer to the demo account and lets it share
 * portfolios. Lets the operator user see the console.
 */
export async function demoIdentity(db: Db, { key, issuer }: { key: string; issuer: string }): Promise<void> {
  const { account_id: accountId } = await db
    .selectFrom('api_keys')
    .select('account_id')
    .where('hash', '=', hashApiKey(key))
    .executeTakeFirstOrThrow()
  for (const subject of [DEMO_SUBJECT, SHELL_CLIENT]) await linkIdentity(db, { issuer, subject, accountId })
  await setDegen(db, { accountId, degen: true })
  await setOperator(db, { issuer, subject: OPERATOR_SUBJECT, isOperator: true })
}
