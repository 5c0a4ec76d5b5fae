import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/** P&L that is behind: changed since it was computed, or without the last midnight. The first run is the sync's. */
export async function duePnl(input: {
  db: Db
  midnight: Date
  limit: number
}): Promise<{ walletId: string; networkId: string }[]> {
  const { rows } = await sql<{ walletId: string; networkId: string }>`
    select wallet_id as "walletId", network_id as "networkId" from pl_states
    where computed_to is not null and (dirty_from is not null or computed_to < ${input.midnight})
    order by dirty_from nulls last, wallet_id, network_id limit ${input.limit}`.execute(input.db)
  return rows
}
