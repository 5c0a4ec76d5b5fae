import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import type { SyncCounts } from '../sources/read-figures.ts'

/** The syncs of wallets by network, of those that are served. */
export async function countWalletSyncs(db: Db, { targetS }: { targetS: number }): Promise<SyncCounts[]> {
  const { rows } = await sql<SyncCounts>`
    select network_id as "of",
      count(*) filter (where failed_at is null and synced_at >= now() - ${targetS} * interval '1 s')::int as fresh,
      count(*) filter (where failed_at is null and synced_at < now() - ${targetS} * interval '1 s')::int as late,
      count(*) filter (where failed_at is not null)::int as failed,
      count(*) filter (where failed_at is null and synced_at is null)::int as pending,
      extract(epoch from now() - min(synced_at))::float8 as "oldestS"
    from wallet_syncs
    where network_id in (select id from networks where active)
    group by network_id order by network_id`.execute(db)
  return rows
}
