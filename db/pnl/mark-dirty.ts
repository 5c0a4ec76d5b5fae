import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { type BookKey, openBook } from './books.ts'

/**
 * Marks a book dirty from its earliest changed leg on. Call it in the transaction of the change: the recompute
 * locks the row while it runs, so no change is lost between the two. The recompute also looks up the prices
 * of the legs written up to `to` again, because newer ones may have been stored since; without `to`, of all.
 */
export async function markBookDirty(input: { db: Db; book: BookKey; from: Date; to?: Date }): Promise<void> {
  const { db, book, from, to = 'infinity' } = input
  const { id } = await openBook(db, book)
  await sql`
    insert into pl_states (book_id, dirty_from, repriced_from, repriced_to, legs_changed)
    values (${id}, ${from}, ${from}, ${to}::timestamptz, true)
    on conflict (book_id) do update set dirty_from = least(pl_states.dirty_from, excluded.dirty_from),
      repriced_from = least(pl_states.repriced_from, excluded.repriced_from),
      repriced_to = greatest(pl_states.repriced_to, excluded.repriced_to), legs_changed = true`.execute(db)
}

/** Marks an account after a change of its portfolios or cost method, in the transaction of the change. */
export async function markAccountDirty(db: Db, accountId: string): Promise<void> {
  await sql`select mark_account_dirty(${accountId})`.execute(db)
}

/** Deletes a portfolio with all data that only it had. The book of a wallet stays. */
export async function forgetPortfolio(db: Db, portfolioId: string): Promise<void> {
  await sql`select forget_portfolio(${portfolioId})`.execute(db)
}
