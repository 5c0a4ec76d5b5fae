import type { Db } from './schema.ts'
import { rewrapSecret, sealingKeyId, sealingPublicKey } from './values/sealed-secret.ts'
import type { SealContext, SealedSecret } from './values/sealed-secret.ts'

const BATCH = 100

/** What moves one batch: the newest key's id, how many rows, and how a secret is wrapped for it. */
export interface Rotation {
  keyId: string
  limit: number
  rewrap: (sealed: SealedSecret, context: SealContext) => SealedSecret
}

/**
 * Moves stored secrets to the newest key, a batch in a transaction. Only data keys are wrapped again; no secret
 * is decrypted, and work goes on meanwhile. `moveBatch` returns how many rows it moved. Throws when a secret's
 * key is not among the given ones; no secret is lost.
 */
export async function rotateSealed(
  db: Db,
  {
    privateKeys,
    moveBatch,
  }: {
    privateKeys: readonly string[]
    moveBatch: (trx: Db, rotation: Rotation) => Promise<number>
  },
): Promise<{ rotated: number }> {
  const [newest] = privateKeys
  if (newest === undefined) throw new Error('no key')
  const publicKey = sealingPublicKey(newest)
  const rotation: Rotation = {
    keyId: sealingKeyId(publicKey),
    limit: BATCH,
    rewrap: (sealed, context) => rewrapSecret({ sealed, context, privateKeys, publicKey }),
  }
  let rotated = 0
  for (;;) {
    const count = await db.transaction().execute((trx) => moveBatch(trx, rotation))
    rotated += count
    if (count < BATCH) return { rotated }
  }
}
