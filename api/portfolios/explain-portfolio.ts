import { readPortfolioBooks } from '../../db/pnl/books.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { explain } from '../pnl/explain.ts'
import type { ExplainQuery } from '../pnl/explain-shape.ts'
import { computedSet } from './holding-set.ts'
import type { SelectedPortfolios } from './select-portfolios.ts'

/**
 * Explains a point of the history of portfolios or one of their coins; ledgers are named by the ids of portfolios.
 * Throws 400 unless the query names exactly one, and 409 while figures are being computed.
 */
export async function explainPortfolio(
  db: ReadonlyDb,
  { selected, query, now }: { selected: SelectedPortfolios; query: ExplainQuery; now: Date },
): ReturnType<typeof explain> {
  const set = (await computedSet(db, selected)) ?? { books: [] }
  const books = await readPortfolioBooks(
    db,
    selected.portfolios.map(({ id }) => id),
  )
  const names = new Map([...books].map(([portfolioId, { id }]) => [id, portfolioId]))
  return await explain(db, { query, now, named: { set, nameOf: (bookId) => names.get(bookId)! } })
}
