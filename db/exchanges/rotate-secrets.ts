import { sql } from 'kysely'
import { type Rotation, rotateSealed } from '../rotate-sealed.ts'
import type { Db } from '../schema.ts'

/** Moves the credentials of exchange accounts to the newest key. Syncs and new connections go on meanwhile. */
export const rotateSecrets = (db: Db, privateKeys: readonly string[]): Promise<{ rotated: number }> =>
  rotateSealed(db, { privateKeys, moveBatch })

async function moveBatch(trx: Db, { keyId, limit, rewrap }: Rotation): Promise<number> {
  const rows = await trx
    .selectFrom('exchange_secrets')
    .selectAll()
    .where('key_id', '<>', keyId)
    .orderBy('connection_id')
    .orderBy('version')
    .limit(limit)
    .forUpdate()
    .execute()
  for (const row of rows) {
    const { wrappedKey } = rewrap(
      { keyId: row.key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext },
      { accountId: row.account_id, connectionId: row.connection_id, version: row.version },
    )
    await sql`
      update exchange_secrets set key_id = ${keyId}, wrapped_key = ${wrappedKey}
      where connection_id = ${row.connection_id} and version = ${row.version}`.execute(trx)
  }
  return rows.length
}
