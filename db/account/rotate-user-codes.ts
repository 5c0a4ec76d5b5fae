import { type Rotation, rotateSealed } from '../rotate-sealed.ts'
import type { Db } from '../schema.ts'

/** Moves the secrets of users' apps to the newest key. Sign-ins go on meanwhile. */
export const rotateUserCodes = (db: Db, privateKeys: readonly string[]): Promise<{ rotated: number }> =>
  rotateSealed(db, { privateKeys, moveBatch })

async function moveBatch(trx: Db, { keyId, limit, rewrap }: Rotation): Promise<number> {
  const rows = await trx
    .selectFrom('user_totp')
    .select(['user_subject', 'key_id', 'wrapped_key', 'ciphertext'])
    .where('key_id', '<>', keyId)
    .orderBy('user_subject')
    .limit(limit)
    .forUpdate()
    .execute()
  for (const row of rows) {
    const { wrappedKey } = rewrap(
      { keyId: row.key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext },
      { userSubject: row.user_subject },
    )
    await trx
      .updateTable('user_totp')
      .set({ key_id: keyId, wrapped_key: wrappedKey })
      .where('user_subject', '=', row.user_subject)
      .execute()
  }
  return rows.length
}
