import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { type SyncCounts, syncCounts } from '../sources/read-figures.ts'

/** Wallets by network, for active networks. A followed one is as late as its follower. */
export async function countWalletSyncs(db: Db, { targetS }: { targetS: number }): Promise<SyncCounts[]> {
  const { rows } = await sql<SyncCounts>`
    select network_id as "of", ${syncCounts(targetS)}
    from (
      select coverage.network_id, coverage.synced_at,
        case when sync.failed_at > coalesce(coverage.synced_at, '-infinity') then sync.failed_at end as failed_at
      from wallet_coverage as coverage join wallet_syncs as sync using (wallet_id, network_id)
    ) as wallet
    where network_id in (select id from networks where active)
    group by network_id order by network_id`.execute(db)
  return rows
}
