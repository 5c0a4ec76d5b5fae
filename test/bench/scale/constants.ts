import type pg from 'pg'

/** With fewer rows, empty pages distort the size per row. */
const FEWEST_ROWS = 1_000

/** Bytes per row including indexes, by table. Partitions count towards their table. */
export async function bytesPerRow(owner: pg.Pool): Promise<[table: string, bytes: number, rows: number][]> {
  await owner.query('vacuum analyze')
  const { rows } = await owner.query<{ name: string; bytes: number; n: number }>(
    `select coalesce(pg_partition_root(oid), oid)::regclass::text as name,
       sum(pg_total_relation_size(oid))::float8 as bytes, sum(greatest(reltuples, 0))::float8 as n
     from pg_class where relkind = 'r' and relnamespace = any (array['public', 'past']::regnamespace[])
     group by 1 having sum(reltuples) >= ${FEWEST_ROWS} order by 1`,
  )
  return rows.map(({ name, bytes, n }) => [name, bytes / n, n])
}

export interface SyncCost {
  requests: number
  /** Growth of the database. */
  bytes: number
  temporalBytes: number
  temporalCommits: number
}

/** Upstream requests and database growth per sync. `work` returns the number of syncs it has run. */
export async function costOfSync(owner: pg.Pool, work: () => Promise<number>): Promise<SyncCost> {
  const look = async () => {
    const { rows } = await owner.query<SyncCost>(
      `select (select coalesce(sum(requests), 0)::float8 from source_hours) as requests,
         pg_database_size(current_database())::float8 as bytes,
         pg_database_size('temporal')::float8 + pg_database_size('temporal_visibility') as "temporalBytes",
         (select sum(xact_commit)::float8 from pg_stat_database where datname like 'temporal%') as "temporalCommits"`,
    )
    return rows[0]!
  }
  const before = await look()
  const syncs = await work()
  const after = await look()
  const each = (field: keyof SyncCost) => (after[field] - before[field]) / syncs
  return {
    requests: each('requests'),
    bytes: each('bytes'),
    temporalBytes: each('temporalBytes'),
    temporalCommits: each('temporalCommits'),
  }
}
