import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { ReadonlyDb } from '../schema.ts'

/** History of a wallet that no source gives. */
export interface PortfolioGap {
  /** Time of the last block that is missing; null: unknown. */
  until: Date | null
  reason: string
}

/** Gaps in the history of the wallets of an account, by portfolio. */
export async function readPortfolioGaps(
  db: ReadonlyDb,
  { accountId }: { accountId: string },
): Promise<Map<string, PortfolioGap>> {
  const rows = await readSql(
    db,
    sql<PortfolioGap & { id: string }>`
      select owned.id, block.at as until, sync.gap_reason as reason
      from portfolios as owned
      join wallets as wallet on wallet.address = owned.address
      join wallet_syncs as sync on sync.wallet_id = wallet.id and sync.network_id = owned.network_id
      left join blocks as block on block.network_id = sync.network_id and block.number = sync.gap_to
      where owned.account_id = ${accountId} and sync.gap_to is not null`,
  )
  return new Map(rows.map(({ id, ...gap }) => [id, gap]))
}
