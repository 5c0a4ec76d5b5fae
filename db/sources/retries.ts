import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/** What is to be run again for a refused row; null: the row is gone, or nobody asks for it any more. */
export async function readRetry(
  db: Db,
  { id }: { id: string },
): Promise<{ activity: string; input: unknown } | null> {
  const row = await db
    .selectFrom('quarantine')
    .select(['activity', 'input'])
    .where('id', '=', id)
    .where('retry_state', '=', 'asked')
    .executeTakeFirst()
  return row?.activity ? { activity: row.activity, input: row.input } : null
}

/**
 * Ends a retry. The row leaves the quarantine when its source has answered everything since then and it was not refused
 * again: it was accepted, or is not sent any more. `failure`: it was not read, and why.
 */
export async function settleRetry(
  db: Db,
  { id, failure }: { id: string; failure: string | null },
): Promise<void> {
  await sql`
    with retried as (
      select q.id, coalesce(${failure}, case
        when s.last_failure_at > q.retry_at then s.last_failure
        when s.last_success_at > q.retry_at then null
        else 'the source was not asked' end) as failure
      from quarantine q left join source_states s on s.source = q.source
      where q.id = ${id}::bigint and q.retry_state = 'asked'
    ), accepted as (
      delete from quarantine q using retried r where q.id = r.id and r.failure is null
    )
    update quarantine q set retry_state = 'failed', retry_failure = r.failure
    from retried r where q.id = r.id and r.failure is not null`.execute(db)
}
