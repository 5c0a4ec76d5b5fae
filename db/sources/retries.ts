import { sql } from 'kysely'
import type { Db } from '../schema.ts'

export interface Retry {
  /** The activity that quarantined the row, to run again with its input. */
  activity: string
  input: unknown
  /** Time of the request in Postgres text form. It identifies the request to which a run belongs. */
  askedAt: string
}

/** Reads what to run again for a quarantined row; null: the row is gone, or no retry is requested. */
export async function readRetry(db: Db, { id }: { id: string }): Promise<Retry | null> {
  const { rows } = await sql<Retry>`
    select activity, input, retry_at::text as "askedAt" from quarantine
    where id = ${id}::bigint and retry_state = 'asked' and activity is not null`.execute(db)
  return rows[0] ?? null
}

/**
 * Ends a retry. The row leaves quarantine if all requests to its source succeeded since then and it was not
 * quarantined again: it passed, or the source no longer sends it. `failure`: why it could not be read; null:
 * it was read. If another retry was requested since `askedAt`, the row is left to that run.
 */
export async function settleRetry(
  db: Db,
  { id, askedAt, failure }: { id: string; askedAt: string; failure: string | null },
): Promise<void> {
  await sql`
    with retried as (
      select q.id, coalesce(${failure}, case
        when s.last_failure_at > q.retry_at then s.last_failure
        when s.last_success_at > q.retry_at then null
        else 'the source was not asked' end) as failure
      from quarantine q left join source_states s on s.source = q.source
      where q.id = ${id}::bigint and q.retry_state = 'asked' and q.retry_at = ${askedAt}::timestamptz
    ), accepted as (
      delete from quarantine q using retried r where q.id = r.id and r.failure is null
    )
    update quarantine q set retry_state = 'failed', retry_failure = r.failure
    from retried r where q.id = r.id and r.failure is not null`.execute(db)
}
