import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../connect.ts'
import { transact } from '../../transact.ts'
import { markChanged, markHoldersDirty, type PriceChange } from '../mark-dirty.ts'

// A running computation of a book may have read the prices before a change, and its result stays invisible
// until it commits. So both sides record what they did, and settleChanges finds pairs that did not see each
// other.

/**
 * Marks computed books dirty and records the changes for running computations, in the transaction of the
 * change.
 */
export async function noteChanges(input: { db: Db; changes: readonly PriceChange[] }): Promise<void> {
  const { db } = input
  const changes = earliestOf(input.changes)
  await markHoldersDirty({ db, changes })
  // Books are computed up to the last midnight only, by clocks that may be ahead.
  await sql`
    insert into price_changes (coin_id, from_at)
    select coin_id, from_at from unnest(
      ${changes.map(({ coinId }) => coinId)}::text[], ${changes.map(({ from }) => from)}::timestamptz[]
    ) as change (coin_id, from_at) where from_at <= date_trunc('day', now() + interval '1 hour', 'UTC')`.execute(
    db,
  )
}

/** Keeps the earliest change of each coin. */
function earliestOf(changes: readonly PriceChange[]): PriceChange[] {
  const earliest = new Map<string, PriceChange>()
  for (const change of changes) {
    const known = earliest.get(change.coinId)
    if (known === undefined || change.from < known.from) earliest.set(change.coinId, change)
  }
  return [...earliest.values()]
}

/** Records a computation of a book in its transaction. `begunWith`: the snapshot before its first price. */
export async function noteRun(db: Db, run: { bookId: string; begunWith: string }): Promise<void> {
  await sql`insert into pl_runs (book_id, began_with) values (${run.bookId}, ${run.begunWith}::pg_snapshot)`.execute(
    db,
  )
}

/**
 * Marks the books that were computed without seeing a change. A change is settled once all transactions have
 * ended that began before `noted_by`, which follows the commit of the change: by then their runs are visible.
 * Other changes wait for the next call. A run is deleted when it can have missed no remaining change.
 */
export async function settleChanges(pool: pg.Pool): Promise<void> {
  for (const table of ['price_changes', 'pl_runs'])
    // A restored dump may contain transaction ids from the future.
    await pool.query(
      `update ${table} set noted_by = pg_current_xact_id()
       where noted_by is null or noted_by > pg_current_xact_id()`,
    )
  await transact(pool, async ({ db }) => {
    const { rows } = await sql<{ ended: string }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as ended`.execute(db)
    const ended = sql`${rows[0]!.ended}::xid8`
    await markChanged(
      db,
      sql`
        select run.book_id, change.coin_id, min(change.from_at) as at
        from price_changes as change join pl_runs as run
          on not pg_visible_in_snapshot(change.changed_by, run.began_with)
        where change.noted_by < ${ended} group by 1, 2`,
    )
    await sql`delete from price_changes where noted_by < ${ended}`.execute(db)
    await sql`
      delete from pl_runs as run
      where noted_by < ${ended} and not exists (select from price_changes where changed_by < run.noted_by)`.execute(
      db,
    )
  })
}
