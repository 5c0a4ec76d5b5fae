import { sql } from 'kysely'
import { type Rotation, rotateSealed } from '../rotate-sealed.ts'
import type { Db } from '../schema.ts'

/** Moves the secrets of webhook endpoints to the newest key. Events go on meanwhile. */
export const rotateWebhookSecrets = (db: Db, privateKeys: readonly string[]): Promise<{ rotated: number }> =>
  rotateSealed(db, { privateKeys, moveBatch })

async function moveBatch(trx: Db, { keyId, limit, rewrap }: Rotation): Promise<number> {
  const rows = await trx
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where((is) => is.or([is('key_id', '<>', keyId), is('previous_key_id', '<>', keyId)]))
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()
  for (const row of rows) {
    const context = { accountId: row.account_id, endpointId: row.id }
    const { wrappedKey } = rewrap(
      { keyId: row.key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext },
      context,
    )
    const previous =
      row.previous_key_id === null
        ? null
        : rewrap(
            {
              keyId: row.previous_key_id,
              wrappedKey: row.previous_wrapped_key!,
              ciphertext: row.previous_ciphertext!,
            },
            context,
          ).wrappedKey
    await sql`
      update webhook_endpoints set key_id = ${keyId}, wrapped_key = ${wrappedKey},
        previous_key_id = ${previous && keyId}, previous_wrapped_key = ${previous}
      where id = ${row.id}`.execute(trx)
  }
  return rows.length
}
