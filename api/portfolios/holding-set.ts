import type { ReadonlyDb } from '../../db/connect.ts'
import { type BookSet, readBookSet } from '../../db/pnl/book-sets.ts'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import type { CostMethod } from '../../db/values/cost-methods.ts'
import { notSynced } from '../errors.ts'
import { oldest } from '../shapes.ts'
import type { SelectedPortfolios } from './select-portfolios.ts'

/** The portfolios whose history is known: what is stated by hand always is. Throws 409 when none is, but some are there. */
export function syncedOf(portfolios: readonly Portfolio[]): Portfolio[] {
  const synced = portfolios.filter(({ kind, syncedAt }) => kind === 'manual' || syncedAt !== null)
  if (portfolios.length > 0 && synced.length === 0) throw notSynced()
  return synced
}

/** How old the figures of portfolios are. */
export const ageOf = (portfolios: readonly Portfolio[]): Date | null =>
  oldest(portfolios.map(({ asOf }) => asOf))

/**
 * The books of a selection, with how it counts cost. Null: nothing was ever in it. Throws 409 when nothing is computed
 * yet of what it follows.
 */
export async function holdingSet(
  db: ReadonlyDb,
  selected: SelectedPortfolios,
): Promise<(BookSet & { method?: CostMethod }) | null> {
  const synced = syncedOf(selected.portfolios)
  const set = await readBookSet(db, selected)
  if (set.books.length === 0) {
    if (synced.some(({ kind }) => kind !== 'manual')) throw notSynced()
    return null
  }
  return { ...set, ...(!selected.isWhole && { method: selected.portfolios[0]!.costMethod }) }
}
