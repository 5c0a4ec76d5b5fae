import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { prepared, readText } from '../read-sql.ts'
import { type Book, keyOf } from './books.ts'
import type { BookRow } from './tables.ts'

/** Books that are read together: one, some of one wallet, or those of all portfolios of an account. */
export interface BookSet {
  books: readonly Book[]
  /** set when these are all books of the account: a transfer between any two of them is no flow */
  accountId?: string | undefined
}

/**
 * $1 portfolios. Prepared, because planning takes longer than reading; with the names of its columns, because the
 * tables of a past instant have fewer.
 */
const PORTFOLIO_BOOKS = prepared(
  'portfolio_books',
  `select own.portfolio_id as of_portfolio, book.id, book.wallet_id, book.network_id, book.connection_id, book.portfolio_id
   from portfolio_books as own join books as book on book.id = own.book_id
   where own.portfolio_id = any($1::uuid[]) order by book.id`,
)

/** Returns the book of each portfolio. A portfolio without computed P&L has none. */
export async function readPortfolioBooks(
  db: ReadonlyDb,
  portfolioIds: readonly string[],
): Promise<Map<string, Book>> {
  const rows = await readText<Omit<BookRow, 'id' | 'recorded_at'> & { id: string; of_portfolio: string }>(
    db,
    {
      text: PORTFOLIO_BOOKS,
      values: [portfolioIds],
    },
  )
  return new Map(rows.map((row) => [row.of_portfolio, { id: row.id, ...keyOf(row) }]))
}

/** Returns the books of the requested portfolios. `isWhole`: they are all portfolios of the account. */
export async function readBookSet(
  db: ReadonlyDb,
  selected: { accountId: string; portfolios: readonly { id: string }[]; isWhole: boolean },
): Promise<BookSet> {
  const books = await readPortfolioBooks(
    db,
    selected.portfolios.map(({ id }) => id),
  )
  return { books: [...books.values()], accountId: selected.isWhole ? selected.accountId : undefined }
}

/** SQL condition on `scopes` that selects the scope of the set. */
export function isScopeOf({ books, accountId }: BookSet): RawBuilder<boolean> {
  const [first] = books
  if (accountId !== undefined) return sql`account_id = ${accountId}`
  if (books.length > 1 && first && 'walletId' in first) return sql`wallet_id = ${first.walletId}`
  return sql`book_id = ${first?.id ?? null}`
}
