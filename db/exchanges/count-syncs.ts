import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import type { SyncCounts } from '../sources/read-figures.ts'

/** The syncs of accounts at exchanges by venue, of those whose credentials were accepted once. */
export async function countExchangeSyncs(db: Db, { targetS }: { targetS: number }): Promise<SyncCounts[]> {
  const { rows } = await sql<SyncCounts>`
    select venue as "of",
      count(*) filter (where failed_at is null and synced_at >= now() - ${targetS} * interval '1 s')::int as fresh,
      count(*) filter (where failed_at is null and synced_at < now() - ${targetS} * interval '1 s')::int as late,
      count(*) filter (where failed_at is not null)::int as failed,
      count(*) filter (where failed_at is null and synced_at is null)::int as pending,
      extract(epoch from now() - min(synced_at))::float8 as "oldestS"
    from exchange_connections
    where active_version is not null
    group by venue order by venue`.execute(db)
  return rows
}
