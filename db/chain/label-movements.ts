import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { markBookDirty } from '../pnl/books.ts'
import type { LabelRole } from '../pnl/legs/roles.ts'

interface Wallet {
  address: string
  networkId: string
}

/** The movements of one transaction of a wallet. */
export async function listMovements(db: Db, { address, networkId, hash }: Wallet & { hash: string }) {
  return db
    .selectFrom('movements')
    .innerJoin('wallets', 'wallets.id', 'movements.wallet_id')
    .select(['seq', 'role', 'coin_id', 'raw', 'decimals', 'counterparty', 'at', 'block_number', 'wallet_id'])
    .where('wallets.address', '=', address)
    .where('network_id', '=', networkId)
    .where('tx_hash', '=', hash)
    .orderBy('seq')
    .execute()
}

/**
 * Sets the role of one movement of a transaction, or of all except its fee (`seq` null). `role` null removes
 * the labels. The wallet is derived again from that block on, at once or by its next sync. Returns false if there is no such
 * movement.
 */
export async function labelMovements(
  db: Db,
  input: Wallet & { hash: string; seq: number | null; role: LabelRole | null; now: Date },
): Promise<boolean> {
  const { networkId, hash, role, now } = input
  return db.transaction().execute(async (trx) => {
    const found = await listMovements(trx, input)
    const chosen = found.filter((one) => (input.seq === null ? one.role !== 'fee' : one.seq === input.seq))
    const [first] = chosen
    if (!first) return false
    const walletId = first.wallet_id
    // Locked before the P&L state, in the same order as a recompute does.
    await sql`select derive_again(${networkId}, array[${walletId}::bigint], array[${first.block_number}::bigint])`.execute(
      trx,
    )
    await trx
      .deleteFrom('movement_labels')
      .where('wallet_id', '=', walletId)
      .where('network_id', '=', networkId)
      .where('tx_hash', '=', hash)
      .where(
        'seq',
        'in',
        chosen.map(({ seq }) => seq),
      )
      .execute()
    if (role !== null)
      await trx
        .insertInto('movement_labels')
        .values(
          chosen.map(({ seq }) => ({
            wallet_id: walletId,
            network_id: networkId,
            tx_hash: hash,
            seq,
            role,
            source: 'operator',
            fetched_at: now,
          })),
        )
        .execute()
    await markBookDirty({ db: trx, book: { walletId, networkId }, from: first.at, to: first.at })
    return true
  })
}
