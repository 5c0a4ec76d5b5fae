import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'

/** What operators ordered of a source. null: as the worker is set. */
export interface SourceOrder {
  isPaused: boolean
  requestsPerSecond: number | null
  burst: number | null
  quota: { units: number; per: 'day' | 'month' } | null
}

type Limits = Omit<SourceOrder, 'isPaused'>

/** Reads the orders by source. */
export async function readSourceOrders(db: Db): Promise<ReadonlyMap<string, SourceOrder>> {
  const rows = await db.selectFrom('source_orders').selectAll().execute()
  return new Map(
    rows.map((row) => [
      row.source,
      {
        isPaused: row.is_paused,
        requestsPerSecond: row.requests_per_second,
        burst: row.burst,
        quota:
          row.quota === null || row.quota_per === null
            ? null
            : { units: Number(row.quota), per: row.quota_per },
      },
    ]),
  )
}

/** Pauses a source in all workers, or resumes it. false: there is no such source, or nothing changes. */
export async function pauseSource(
  db: Db | ReadonlyDb,
  { source, isPaused, operator }: { source: string; isPaused: boolean; operator: string },
): Promise<boolean> {
  const [row] = await readSql(
    db,
    sql<{ done: boolean }>`select pause_source(${source}, ${isPaused}::boolean, ${operator}) as done`,
  )
  return row!.done
}

/** Sets rate and budget of a source in all workers. false: there is no such source, or it is a node with a rate. */
export async function limitSource(
  db: Db | ReadonlyDb,
  { source, limits, operator }: { source: string; limits: Limits; operator: string },
): Promise<boolean> {
  const { requestsPerSecond, burst, quota } = limits
  const [row] = await readSql(
    db,
    sql<{ done: boolean }>`
      select limit_source(${source}, ${requestsPerSecond}::float8, ${burst}::int, ${quota?.units ?? null}::bigint,
        ${quota?.per ?? null}::text, ${operator}) as done`,
  )
  return row!.done
}
