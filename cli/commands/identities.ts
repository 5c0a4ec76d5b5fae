import { parseArgs } from 'node:util'
import { listIdentities } from '../../db/metering/operator-read.ts'
import { linkIdentity, setOperator, unlinkIdentity } from '../../db/metering/write.ts'
import { CommandError } from '../command.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'

const USAGE = `sluice identities link SUBJECT --account ACCOUNT [--issuer URL]
sluice identities unlink SUBJECT [--issuer URL]
sluice identities operator SUBJECT on|off [--issuer URL]   (who may see /console)
sluice identities list
SUBJECT is "sub" of the tokens. URL is "iss" of them; without it, OIDC_ISSUER`

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { account: { type: 'string' }, issuer: { type: 'string' } },
  })
  const [action, subject, state] = positionals
  if (action === 'list') {
    console.table(await withOperatorDatabase(listIdentities))
    return 0
  }
  const { account } = values
  const issuer = values.issuer ?? operatorEnvironment()['OIDC_ISSUER']
  if (!subject || !issuer) throw new CommandError(USAGE)
  if (action === 'link' && account) {
    await withAccount(account, (db, accountId) => linkIdentity(db, { issuer, subject, accountId }))
    console.log(`${subject} of ${issuer} opens ${account} now`)
    return 0
  }
  if (action === 'operator' && (state === 'on' || state === 'off')) {
    await withOperatorDatabase((db) => setOperator(db, { issuer, subject, isOperator: state === 'on' }))
    console.log(`${subject} of ${issuer} ${state === 'on' ? 'may see' : 'does not see'} the console now`)
    return 0
  }
  if (action !== 'unlink') throw new CommandError(USAGE)
  const unlinked = await withOperatorDatabase((db) => unlinkIdentity(db, { issuer, subject }))
  console.log(unlinked ? 'unlinked; its tokens are dead within 5 seconds' : 'no such identity')
  return unlinked ? 0 : 1
}
