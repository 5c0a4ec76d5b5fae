import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import { type SyncCounts, syncCounts } from '../sources/read-figures.ts'

/** The syncs of accounts at exchanges by exchange, of those whose credentials were accepted once. */
export async function countExchangeSyncs(db: Db, { targetS }: { targetS: number }): Promise<SyncCounts[]> {
  const { rows } = await sql<SyncCounts>`
    select venue as "of", ${syncCounts(targetS)}
    from exchange_connections
    where active_version is not null
    group by venue order by venue`.execute(db)
  return rows
}
