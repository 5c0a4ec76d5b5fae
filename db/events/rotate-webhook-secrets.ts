import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { rewrapSecret, sealingKeyId, sealingPublicKey } from '../values/sealed-secret.ts'

const BATCH = 100

/**
 * Moves the secrets of webhook endpoints to the newest key, as `rotateSecrets` does with credentials of
 * exchanges. Events go on meanwhile.
 */
export async function rotateWebhookSecrets(
  db: Db,
  privateKeys: readonly string[],
): Promise<{ rotated: number }> {
  const [newest] = privateKeys
  if (newest === undefined) throw new Error('no key')
  const publicKey = sealingPublicKey(newest)
  const keyId = sealingKeyId(publicKey)
  let rotated = 0
  for (;;) {
    const count = await db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where((is) => is.or([is('key_id', '<>', keyId), is('previous_key_id', '<>', keyId)]))
        .orderBy('id')
        .limit(BATCH)
        .forUpdate()
        .execute()
      for (const row of rows) {
        const rewrapped = (sealed: { keyId: string; wrappedKey: Buffer; ciphertext: Buffer }) =>
          rewrapSecret({
            sealed,
            context: { accountId: row.account_id, endpointId: row.id },
            privateKeys,
            publicKey,
          }).wrappedKey
        const wrapped = rewrapped({
          keyId: row.key_id,
          wrappedKey: row.wrapped_key,
          ciphertext: row.ciphertext,
        })
        const previous =
          row.previous_key_id === null
            ? null
            : rewrapped({
                keyId: row.previous_key_id,
                wrappedKey: row.previous_wrapped_key!,
                ciphertext: row.previous_ciphertext!,
              })
        await sql`
          update webhook_endpoints set key_id = ${keyId}, wrapped_key = ${wrapped},
            previous_key_id = ${previous && keyId}, previous_wrapped_key = ${previous}
          where id = ${row.id}`.execute(trx)
      }
      return rows.length
    })
    rotated += count
    if (count < BATCH) return { rotated }
  }
}
