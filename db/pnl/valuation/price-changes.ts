import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../connect.ts'
import { transact } from '../../transact.ts'
import { markChanged, markHoldersDirty, type PriceChange } from '../mark-dirty.ts'

// A book that is being computed may have read the prices before a change, and shows nothing of what it holds until it is
// committed. So each side notes what it did, and settleChanges finds those that did not see each other.

/** Marks the books that are computed already, and notes the changes for the others; in the transaction of the change. */
export async function noteChanges(input: { db: Db; changes: readonly PriceChange[] }): Promise<void> {
  const { db } = input
  const changes = earliestOf(input.changes)
  await markHoldersDirty({ db, changes })
  // Nothing is computed further than to a midnight that has been, by clocks that may be ahead.
  await sql`
    insert into price_changes (coin_id, from_at)
    select coin_id, from_at from unnest(
      ${changes.map(({ coinId }) => coinId)}::text[], ${changes.map(({ from }) => from)}::timestamptz[]
    ) as change (coin_id, from_at) where from_at <= date_trunc('day', now() + interval '1 hour', 'UTC')`.execute(
    db,
  )
}

/** Of each coin the first change. */
function earliestOf(changes: readonly PriceChange[]): PriceChange[] {
  const earliest = new Map<string, PriceChange>()
  for (const change of changes) {
    const known = earliest.get(change.coinId)
    if (known === undefined || change.from < known.from) earliest.set(change.coinId, change)
  }
  return [...earliest.values()]
}

/** Notes that a book was computed; in its transaction. `begunWith`: the snapshot before its first price. */
export async function noteRun(db: Db, run: { bookId: string; begunWith: string }): Promise<void> {
  await sql`insert into pl_runs (book_id, began_with) values (${run.bookId}, ${run.begunWith}::pg_snapshot)`.execute(
    db,
  )
}

/**
 * Marks the books that were computed without having seen a change. A change is settled once all transactions have ended
 * that began before it was noted here, which is after its own commit: their runs are there then. Others wait for the next
 * time. A run goes when no change is left that it may not have seen.
 */
export async function settleChanges(pool: pg.Pool): Promise<void> {
  for (const table of ['price_changes', 'pl_runs'])
    // A restored dump brings numbers of transactions that are yet to come.
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
