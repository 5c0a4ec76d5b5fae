import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../schema.ts'

/** Number of syncs of one network or exchange by state. */
export interface SyncCounts {
  /** Network or exchange. */
  of: string
  /** Complete within the target. */
  fresh: number
  /** Complete, but before the target. */
  late: number
  /** The last attempt failed. */
  failed: number
  /** Never completed yet. */
  pending: number
  /** Seconds since the oldest last completion; null: none. */
  oldestS: number | null
}

/**
 * Columns of SyncCounts except `of`, over rows with `failed_at` and `synced_at`. A sync is late after
 * `targetS` seconds.
 */
export const syncCounts = (targetS: number): RawBuilder<SyncCounts> => sql`
  count(*) filter (where failed_at is null and synced_at >= now() - ${targetS} * interval '1 s')::int as fresh,
  count(*) filter (where failed_at is null and synced_at < now() - ${targetS} * interval '1 s')::int as late,
  count(*) filter (where failed_at is not null)::int as failed,
  count(*) filter (where failed_at is null and synced_at is null)::int as pending,
  extract(epoch from now() - min(synced_at))::float8 as "oldestS"`

/** Counts commands that wait for their workflow. `oldestS`: age of the oldest in seconds, 0 if none. */
export async function readOutbox(db: Db): Promise<{ pending: number; oldestS: number }> {
  const { rows } = await sql<{ pending: number; oldestS: number }>`
    select count(*)::int as pending,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestS"
    from outbox where dispatched_at is null`.execute(db)
  return rows[0]!
}

/**
 * Rows inserted or updated since the last reset of Postgres statistics, by table. Partitions count for their
 * parent.
 */
export async function readRowsWritten(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ table: string; rows: number }>`
    select coalesce(parent.relname, stats.relname) as "table", sum(n_tup_ins + n_tup_upd)::float8 as rows
    from pg_stat_user_tables stats left join pg_class parent on parent.oid = pg_partition_root(stats.relid)
    where stats.schemaname = 'public' group by 1`.execute(db)
  return new Map(rows.map(({ table, rows }) => [table, rows]))
}

/** Rows that were quarantined in the last `seconds`, by source. */
export async function readQuarantinedWithin(
  db: Db,
  { seconds }: { seconds: number },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ source: string; rows: number }>`
    select source, rows from source_states cross join lateral (
      select count(*)::int as rows from quarantine as q
      where q.source = source_states.source and fetched_at > now() - ${seconds} * interval '1 second'
    ) as new where rows > 0`.execute(db)
  return new Map(rows.map(({ source, rows }) => [source, rows]))
}
