import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { type SyncCounts, syncCounts } from '../sources/read-figures.ts'

/** Wallet syncs by network, for active networks. */
export async function countWalletSyncs(db: Db, { targetS }: { targetS: number }): Promise<SyncCounts[]> {
  const { rows } = await sql<SyncCounts>`
    select network_id as "of", ${syncCounts(targetS)}
    from wallet_syncs
    where network_id in (select id from networks where active)
    group by network_id order by network_id`.execute(db)
  return rows
}
