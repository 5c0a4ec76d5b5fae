import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { Change } from '../pnl/scopes.ts'

/** A portfolio that lacks snapshots, with its book. */
export interface SnapshotTarget {
  portfolioId: string
  bookId: string
}

/**
 * Portfolios whose days are computed up to a midnight without a snapshot of it, or with a history before
 * their first snapshot. `of`: only those that a change concerns. A manual portfolio waits until no
 * transaction has been added since `statedBefore`.
 */
export async function dueSnapshots(
  db: Db,
  input: { midnight: Date; statedBefore: Date; limit: number; of?: Change },
): Promise<SnapshotTarget[]> {
  const { midnight, of } = input
  const asked = !of
    ? sql`true`
    : 'bookId' in of
      ? sql`owned.book_id = ${of.bookId}`
      : sql`owned.account_id = ${of.accountId}`
  const { rows } = await sql<SnapshotTarget>`
    select owned.portfolio_id as "portfolioId", owned.book_id as "bookId"
    from portfolio_books as owned
    join pl_states as state on state.book_id = owned.book_id
    cross join lateral (
      select at from pl_days where book_id = owned.book_id order by at limit 1
    ) as first_day
    left join lateral (
      select min(at) as at from portfolio_snapshots where portfolio_id = owned.portfolio_id
    ) as first on true
    where ${asked} and owned.account_id is not null and state.computed_to >= ${midnight} and state.dirty_from is null
      and first_day.at <= ${midnight}
      and (first.at is null or first.at > first_day.at or not exists (
        select from portfolio_snapshots where portfolio_id = owned.portfolio_id and at = ${midnight}))
      and not exists (
        select from manual_transactions
        where portfolio_id = owned.portfolio_id and fetched_at >= ${input.statedBefore})
    order by owned.portfolio_id limit ${input.limit}`.execute(db)
  return rows
}
