import type { ReadonlyDb } from '../../db/schema.ts'
import { type BookSet, readBookSet } from '../../db/pnl/book-sets.ts'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import type { CostMethod } from '../../db/values/cost-methods.ts'
import { notSynced } from '../errors.ts'
import { oldest } from '../shapes.ts'
import type { SelectedPortfolios } from './select-portfolios.ts'

/**
 * Portfolios with a known history; manual ones always have it. Throws 409 when only unsynced ones are given.
 */
export function syncedOf(portfolios: readonly Portfolio[]): Portfolio[] {
  const synced = portfolios.filter(({ kind, syncedAt }) => kind === 'manual' || syncedAt !== null)
  if (portfolios.length > 0 && synced.length === 0) throw notSynced()
  return synced
}

/** Time of the oldest data among the portfolios; null when none has a time. */
export const ageOf = (portfolios: readonly Portfolio[]): Date | null =>
  oldest(portfolios.map(({ asOf }) => asOf))

/**
 * Books of a selection with its cost method. Null when it never held anything. Throws 409 while no book of
 * its wallets and exchange accounts is computed.
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
