import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { rewrapSecret, sealingKeyId, sealingPublicKey } from '../values/sealed-secret.ts'

const BATCH = 100

/**
 * Moves every stored secret to the newest key. Only data keys are wrapped again; no secret is decrypted.
 * Syncs and new connections go on meanwhile. Throws when a secret's key is not among the given ones; no
 * secret is lost.
 */
export async function rotateSecrets(db: Db, privateKeys: readonly string[]): Promise<{ rotated: number }> {
  const [newest] = privateKeys
  if (newest === undefined) throw new Error('no key')
  const publicKey = sealingPublicKey(newest)
  const keyId = sealingKeyId(publicKey)
  let rotated = 0
  for (;;) {
    const count = await db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom('exchange_secrets')
        .selectAll()
        .where('key_id', '<>', keyId)
        .orderBy('connection_id')
        .orderBy('version')
        .limit(BATCH)
        .forUpdate()
        .execute()
      for (const row of rows) {
        const sealed = rewrapSecret({
          sealed: { keyId: row.key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext },
          context: { accountId: row.account_id, connectionId: row.connection_id, version: row.version },
          privateKeys,
          publicKey,
        })
        await sql`
          update exchange_secrets set key_id = ${sealed.keyId}, wrapped_key = ${sealed.wrappedKey}
          where connection_id = ${row.connection_id} and version = ${row.version}`.execute(trx)
      }
      return rows.length
    })
    rotated += count
    if (count < BATCH) return { rotated }
  }
}
