import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import { type BookKey, openBook } from './books.ts'

/**
 * Notes the earliest change of a book that its P&L days do not have yet. To be called in the same transaction as the
 * change: the recompute holds the row while it runs, so no change slips between it and its marker. It looks the prices of
 * the legs up again: others may have come since they were read.
 */
export async function markBookDirty(input: { db: Db; book: BookKey; from: Date }): Promise<void> {
  const { id } = await openBook(input.db, input.book)
  await sql`
    insert into pl_states (book_id, dirty_from, repriced_from) values (${id}, ${input.from}, ${input.from})
    on conflict (book_id) do update set dirty_from = least(pl_states.dirty_from, excluded.dirty_from),
      repriced_from = least(pl_states.repriced_from, excluded.repriced_from)`.execute(input.db)
}

/** Notes that an account has other portfolios, or that their cost method is another; in the transaction of the change. */
export async function markAccountDirty(db: Db, accountId: string): Promise<void> {
  await sql`select mark_account_dirty(${accountId})`.execute(db)
}

/** Takes away a portfolio with all that it alone had. The book of a wallet stays. */
export async function forgetPortfolio(db: Db, portfolioId: string): Promise<void> {
  await sql`select forget_portfolio(${portfolioId})`.execute(db)
}
