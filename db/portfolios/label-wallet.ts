import { labelMovements } from '../chain/label-movements.ts'
import type { Db } from '../connect.ts'
import type { LabelRole } from '../pnl/legs/roles.ts'
import { walletSync } from '../sync-commands.ts'
import { order } from './operator.ts'

/** What a portfolio of a wallet follows; null: it is none, or another kind. */
export async function readWallet(
  db: Db,
  portfolioId: string,
): Promise<{ address: string; networkId: string } | null> {
  const row = await db
    .selectFrom('portfolios')
    .select(['address', 'network_id'])
    .where('id', '=', portfolioId)
    .executeTakeFirst()
  return row?.address && row.network_id ? { address: row.address, networkId: row.network_id } : null
}

/**
 * Says what movements of a wallet's transaction are; its sync starts and computes it anew from there on. False: there is
 * no such movement.
 */
export async function labelWallet(
  db: Db,
  input: { id: string; hash: string; seq: number | null; role: LabelRole | null; now: Date },
): Promise<boolean> {
  const wallet = await readWallet(db, input.id)
  if (!wallet || !(await labelMovements(db, { ...wallet, ...input }))) return false
  await order(db, walletSync(wallet))
  return true
}
