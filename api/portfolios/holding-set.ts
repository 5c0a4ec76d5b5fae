import type { ReadonlyDb } from '../../db/schema.ts'
import { type BookSet, readBookSet, readPortfolioBooks } from '../../db/pnl/books.ts'
import { findFold } from '../../db/pnl/lots/folds.ts'
import { type CoinRow, readCoins } from '../../db/pnl/lots/read-coins.ts'
import { withReceived } from '../../db/pnl/lots/received-coins.ts'
import { readFirstHoldings } from '../../db/portfolios/first-holdings.ts'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import type { CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { byValue } from '../chain/holdings.ts'
import { notSynced } from '../errors.ts'
import { oldest } from '../shapes.ts'
import type { SelectedPortfolios } from './select-portfolios.ts'

/** Whether the history of a portfolio is complete; that of a manual one always is. */
export const hasHistory = ({ kind, syncedAt }: Portfolio): boolean => kind === 'manual' || syncedAt !== null

/** Whether the figures of a portfolio, or of a whole account, contain all of its stored transactions. */
const isComputed = (portfolio: Portfolio, { isWhole }: Pick<SelectedPortfolios, 'isWhole'>): boolean =>
  portfolio.isComputed && (!isWhole || portfolio.isAccountComputed)

/**
 * Ids of the portfolios whose history is not complete, or whose figures are being computed: tables that an
 * answer, or two answers, read may then be of different states.
 */
export const pendingOf = (selected: SelectedPortfolios): string[] =>
  selected.portfolios
    .filter((portfolio) => !hasHistory(portfolio) || !isComputed(portfolio, selected))
    .map(({ id }) => id)

/** Ids of the portfolios whose history is not complete. */
export const withoutHistory = (portfolios: readonly Portfolio[]): string[] =>
  portfolios.filter((portfolio) => !hasHistory(portfolio)).map(({ id }) => id)

/** Time of the oldest data among the portfolios; null when none has a time. */
export const ageOf = (portfolios: readonly Portfolio[]): Date | null =>
  oldest(portfolios.map(({ asOf }) => asOf))

type MethodSet = BookSet & { method?: CostMethod }

/**
 * Books of a selection with its cost method. Null when nothing of it is computed: it never held anything, or
 * its history is not complete.
 */
export async function holdingSet(db: ReadonlyDb, selected: SelectedPortfolios): Promise<MethodSet | null> {
  const set = await readBookSet(db, selected)
  if (set.books.length === 0) return null
  return { ...set, ...(!selected.isWhole && { method: selected.portfolios[0]!.costMethod }) }
}

/**
 * The same for answers that exist only with a history, and only of one state. Throws 409 while no history is
 * complete, and while figures are being computed.
 */
export async function computedSet(db: ReadonlyDb, selected: SelectedPortfolios): Promise<MethodSet | null> {
  const known = selected.portfolios.filter(hasHistory)
  if (!known.every((portfolio) => isComputed(portfolio, selected))) throw notSynced()
  const set = await holdingSet(db, selected)
  if (!set && selected.portfolios.some(({ kind }) => kind !== 'manual')) throw notSynced()
  return set
}

/**
 * Coins of a selection, the most valuable first. Balances of portfolios without a complete history count as
 * received now, except in the past: which balances were known then is not kept.
 */
export async function portfolioCoins(
  db: ReadonlyDb,
  options: { selected: SelectedPortfolios; now: Date; isPast?: boolean },
): Promise<{
  set: MethodSet | null
  foldId: string | null
  rows: CoinRow[]
  received: ReadonlyMap<string, Decimal>
}> {
  const { selected, now, isPast = false } = options
  const nowMs = now.getTime()
  const set = await holdingSet(db, selected)
  const foldId = set && (await findFold(db, set))
  const rows = foldId === null ? [] : await readCoins(db, { foldId, nowMs })
  const received =
    isPast || selected.portfolios.every(hasHistory)
      ? new Map<string, Decimal>()
      : await receivedBy(db, { portfolios: selected.portfolios, hasFold: foldId !== null })
  return { set, foldId, rows: (await withReceived(db, { rows, received, nowMs })).sort(byValue), received }
}

/** Balances of the portfolios without a complete history. One with a book is in the fold already. */
async function receivedBy(
  db: ReadonlyDb,
  { portfolios, hasFold }: { portfolios: readonly Portfolio[]; hasFold: boolean },
): Promise<ReadonlyMap<string, Decimal>> {
  const pending = withoutHistory(portfolios)
  const books = hasFold ? await readPortfolioBooks(db, pending) : null
  return readFirstHoldings(
    db,
    pending.filter((id) => !books?.has(id)),
  )
}
