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

const columns = sql.raw('portfolio_id, at, coin_ids, quantities, prices_usd, source, fetched_at')

/** The computed midnights up to `toMs` that have no snapshot. */
export async function missingMidnights(
  db: Db,
  { target, toMs }: { target: SnapshotTarget; toMs: number },
): Promise<number[]> {
  const { rows } = await sql<{ at: Date }>`
    select day.at from pl_days as day
    where day.book_id = ${target.bookId} and day.at <= ${new Date(toMs)} and not exists (
      select from portfolio_snapshots where portfolio_id = ${target.portfolioId} and at = day.at)
    order by day.at`.execute(db)
  return rows.map(({ at }) => at.getTime())
}

export interface SnapshotRow {
  portfolio_id: string
  at: Date
  coin_ids: string[]
  quantities: string[]
  prices_usd: (string | null)[]
  source: string
  fetched_at: Date
}

/** Writes snapshots; existing ones do not change. */
export async function insertSnapshots(db: Db, rows: readonly SnapshotRow[]): Promise<void> {
  await sql`
    insert into portfolio_snapshots (${columns})
    select ${columns} from json_populate_recordset(null::portfolio_snapshots, ${JSON.stringify(rows)})
    on conflict do nothing`.execute(db)
}
