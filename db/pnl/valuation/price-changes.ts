import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../schema.ts'
import { transact } from '../../transact.ts'
import { UNIT_COINS } from '../../values/coins.ts'

// A running computation of a book may have read the prices before a change, and its result stays invisible
// until it commits. So both sides record what they did, and settleChanges finds pairs that did not see each
// other.

/** The prices of a coin changed from `from` on. */
export interface PriceChange {
  coinId: string
  from: Date
}

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

/** Records a computation of books in its transaction. `begunWith`: the snapshot before its first price. */
export async function noteRuns(
  db: Db,
  run: { bookIds: readonly string[]; begunWith: string },
): Promise<void> {
  await sql`
    insert into pl_runs (book_id, began_with)
    select book_id, ${run.begunWith}::pg_snapshot from unnest(${[...run.bookIds]}::bigint[]) as book_id`.execute(
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

/**
 * Marks the books that ever held a coin dirty from its first changed price on. A change of BTC or ETH marks
 * all books, because each is also valued in these. Books that are not computed that far need no mark.
 */
export async function markHoldersDirty(input: { db: Db; changes: readonly PriceChange[] }): Promise<void> {
  if (input.changes.length === 0) return
  const coinIds = input.changes.map((change) => change.coinId)
  const instants = input.changes.map((change) => change.from)
  await markChanged(
    input.db,
    sql`select book_id, change.* from pl_states cross join unnest(${coinIds}::text[], ${instants}::timestamptz[])
      as change (coin_id, at)`,
  )
}

/** Marks the affected books among `changes`, a query of `book_id`, `coin_id` and `at` of the price change. */
async function markChanged(db: Db, changes: RawBuilder<unknown>): Promise<void> {
  await sql`
    with change as (${changes}), affected as materialized (
      select book_id, min(change.at) as at from pl_states as held join change using (book_id)
      where held.computed_to >= change.at
        and (change.coin_id = any(${Object.values(UNIT_COINS)}::text[]) or exists (
          select from balance_days as day
          where day.book_id = held.book_id and day.coin_id = change.coin_id))
      group by book_id
    ), locked as materialized (
      -- Concurrent marks lock in the same order, so they cannot deadlock.
      select book_id, affected.at from pl_states join affected using (book_id)
      where dirty_from is null or repriced_from is null or greatest(dirty_from, repriced_from) > affected.at
        or repriced_to < 'infinity'
      order by book_id for no key update of pl_states
    )
    update pl_states as state set dirty_from = least(state.dirty_from, locked.at),
      repriced_from = least(state.repriced_from, locked.at), repriced_to = 'infinity'
    from locked where state.book_id = locked.book_id`.execute(db)
}
