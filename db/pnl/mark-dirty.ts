import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connect.ts'
import { type BookKey, openBook } from './books.ts'
import { UNIT_COINS } from './valuation/unit-prices.ts'

/**
 * Marks a book dirty from its earliest change on. Call it in the transaction of the change: the recompute
 * locks the row while it runs, so no change is lost between the two. The recompute also looks up the prices
 * of the legs again, because newer ones may have been stored since.
 */
export async function markBookDirty(input: { db: Db; book: BookKey; from: Date }): Promise<void> {
  const { id } = await openBook(input.db, input.book)
  await sql`
    insert into pl_states (book_id, dirty_from, repriced_from) values (${id}, ${input.from}, ${input.from})
    on conflict (book_id) do update set dirty_from = least(pl_states.dirty_from, excluded.dirty_from),
      repriced_from = least(pl_states.repriced_from, excluded.repriced_from)`.execute(input.db)
}

/** The prices of a coin changed from `from` on. */
export interface PriceChange {
  coinId: string
  from: Date
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
export async function markChanged(db: Db, changes: RawBuilder<unknown>): Promise<void> {
  await sql`
    with change as (${changes}), affected as materialized (
      select book_id, min(change.at) as at from pl_states as held join change using (book_id)
      where held.computed_to >= change.at
        and (change.coin_id = any(${Object.values(UNIT_COINS)}::text[]) or exists (
          select from balance_days as day
          where day.book_id = held.book_id and day.coin_id = change.coin_id))
      group by book_id
    ), locked as materialized (
      -- One order for all who mark at once.
      select book_id, affected.at from pl_states join affected using (book_id)
      where dirty_from is null or repriced_from is null or greatest(dirty_from, repriced_from) > affected.at
      order by book_id for no key update of pl_states
    )
    update pl_states as state set dirty_from = least(state.dirty_from, locked.at),
      repriced_from = least(state.repriced_from, locked.at)
    from locked where state.book_id = locked.book_id`.execute(db)
}

/** Marks an account after a change of its portfolios or cost method, in the transaction of the change. */
export async function markAccountDirty(db: Db, accountId: string): Promise<void> {
  await sql`select mark_account_dirty(${accountId})`.execute(db)
}

/** Deletes a portfolio with all data that only it had. The book of a wallet stays. */
export async function forgetPortfolio(db: Db, portfolioId: string): Promise<void> {
  await sql`select forget_portfolio(${portfolioId})`.execute(db)
}
