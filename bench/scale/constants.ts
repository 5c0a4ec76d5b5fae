import type { Client } from '@temporalio/client'
import type pg from 'pg'
import { median } from '../shared/pairs.ts'
import { type Sync, syncOnce } from './syncs.ts'

/** Fewer rows say more of empty pages than of rows. */
const FEWEST_ROWS = 1_000

/** Bytes of a row with its share of the indexes, by table; partitions count to their table. */
export async function bytesPerRow(owner: pg.Pool): Promise<[table: string, bytes: number, rows: number][]> {
  await owner.query('vacuum analyze')
  const { rows } = await owner.query<{ name: string; bytes: number; n: number }>(
    `select coalesce(pg_partition_root(oid), oid)::regclass::text as name,
       sum(pg_total_relation_size(oid))::float8 as bytes, sum(greatest(reltuples, 0))::float8 as n
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
     group by 1 having sum(reltuples) >= ${FEWEST_ROWS} order by 1`,
  )
  return rows.map(({ name, bytes, n }) => [name, bytes / n, n])
}

export interface SyncCost {
  events: number
  requests: number
  temporalBytes: number
  temporalCommits: number
}

/** What one sync of a wallet that has nothing new leaves in Temporal, and asks upstream. */
export async function costOfSync(options: {
  client: Client
  /** Of our database, and of Temporal's on the same server. */
  owner: pg.Pool
  syncs: readonly Sync[]
}): Promise<SyncCost> {
  const { client, owner, syncs } = options
  const look = async () => {
    const { rows } = await owner.query<{ requests: number; bytes: number; commits: number }>(
      `select (select coalesce(sum(requests), 0)::float8 from source_hours) as requests,
         pg_database_size('temporal')::float8 + pg_database_size('temporal_visibility') as bytes,
         (select sum(xact_commit)::float8 from pg_stat_database where datname like 'temporal%') as commits`,
    )
    return rows[0]!
  }
  const before = await look()
  const events: number[] = []
  for (const sync of syncs) events.push(await syncOnce(client, sync))
  const after = await look()
  const each = (field: keyof typeof after) => (after[field] - before[field]) / syncs.length
  return {
    ...{ events: median(events), requests: each('requests') },
    ...{ temporalBytes: each('bytes'), temporalCommits: each('commits') },
  }
}
