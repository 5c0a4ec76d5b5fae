import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connect.ts'

/** How the syncs of one network or venue stand: each is one of the four. */
export interface SyncCounts {
  /** Network or venue. */
  of: string
  /** Complete within the target. */
  fresh: number
  /** Complete, but longer ago. */
  late: number
  /** The last try failed. */
  failed: number
  /** Never complete yet. */
  pending: number
  /** Since the oldest last completion; null: there is none. */
  oldestS: number | null
}

/** The columns of SyncCounts but its name, over rows with `failed_at` and `synced_at`; late after `targetS` seconds. */
export const syncCounts = (targetS: number): RawBuilder<SyncCounts> => sql`
  count(*) filter (where failed_at is null and synced_at >= now() - ${targetS} * interval '1 s')::int as fresh,
  count(*) filter (where failed_at is null and synced_at < now() - ${targetS} * interval '1 s')::int as late,
  count(*) filter (where failed_at is not null)::int as failed,
  count(*) filter (where failed_at is null and synced_at is null)::int as pending,
  extract(epoch from now() - min(synced_at))::float8 as "oldestS"`

/** Commands that wait for their workflow to be started. */
export async function readOutbox(db: Db): Promise<{ pending: number; oldestS: number }> {
  const { rows } = await sql<{ pending: number; oldestS: number }>`
    select count(*)::int as pending,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestS"
    from outbox where dispatched_at is null`.execute(db)
  return rows[0]!
}

/** Rows that were inserted or updated since Postgres began to count, by table; those of partitions are their parent's. */
export async function readRowsWritten(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ table: string; rows: number }>`
    select coalesce(parent.relname, stats.relname) as "table", sum(n_tup_ins + n_tup_upd)::float8 as rows
    from pg_stat_user_tables stats left join pg_class parent on parent.oid = pg_partition_root(stats.relid)
    where stats.schemaname = 'public' group by 1`.execute(db)
  return new Map(rows.map(({ table, rows }) => [table, rows]))
}
