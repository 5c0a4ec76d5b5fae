import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { type SyncCounts, syncCounts } from '../sources/read-figures.ts'

/** Sync counts by exchange, for accounts whose credentials were accepted. */
export async function countExchangeSyncs(db: Db, { targetS }: { targetS: number }): Promise<SyncCounts[]> {
  const { rows } = await sql<SyncCounts>`
    select venue as "of", ${syncCounts(targetS)}
    from exchange_connections
    where active_version is not null
    group by venue order by venue`.execute(db)
  return rows
}
