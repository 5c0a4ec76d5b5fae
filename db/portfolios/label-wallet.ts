import { labelMovements } from '../chain/label-movements.ts'
import type { Db } from '../schema.ts'
import type { LabelRole } from '../pnl/legs/roles.ts'
import { walletSync } from '../sync-commands.ts'
import { order } from './operator.ts'

/** Address and network of a wallet portfolio; null: no such portfolio, or another kind. */
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
 * Sets the role of movements of a wallet transaction and starts a sync, which recomputes the wallet from
 * there on. False: no such movement.
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
