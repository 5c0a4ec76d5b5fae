import type { ReadonlyDb } from '../../db/schema.ts'
import type { BookSet } from '../../db/pnl/book-sets.ts'
import { readDaySums } from '../../db/pnl/lots/day-rows.ts'
import { fiatTotals, type Totals, totalsAtOneRate } from '../../db/pnl/lots/fiat-totals.ts'
import { findFold } from '../../db/pnl/lots/folds.ts'
import { fiatRates } from '../../db/pnl/valuation/currency-rates.ts'
import type { CostMethod } from '../../db/values/cost-methods.ts'
import { invalidParameter, notSynced } from '../errors.ts'
import { coinRows, totalsOf } from './holdings.ts'

/** A fold may end between two reads of it; it takes longer than both. */
const ATTEMPTS = 3

/**
 * Sums over the coins of the books together, in any currency, each amount at the rate of its own instant. Throws 400
 * for a currency without a rate, and 409 while nothing is computed.
 */
export async function totalsIn(
  db: ReadonlyDb,
  { currency, now, ...set }: BookSet & { method?: CostMethod; now: Date; currency: string },
): Promise<Totals> {
  const readRows = () => coinRows(db, { ...set, now })
  if (currency === 'USD') return totalsOf(await readRows()).usd
  if (currency === 'BTC') return totalsOf(await readRows()).btc
  if (currency === 'ETH') return totalsOf(await readRows()).eth

  const foldId = await findFold(db, set)
  if (foldId === null) throw notSynced()
  const nowMs = now.getTime()
  for (let attempt = 1; ; attempt++) {
    const days = await readDaySums(db, foldId)
    const rows = await readRows()
    const pointAt = await fiatRates({ db, currency, fromMs: days[0]?.atMs ?? nowMs, toMs: nowMs })
    if (!pointAt) throw invalidParameter('currency')
    const rateAt = (atMs: number) => pointAt(atMs).usd
    const totals = fiatTotals({ rows, days, nowMs, rateAt })
    if (totals) return totals
    if (attempt === ATTEMPTS) return totalsAtOneRate({ rows, rate: rateAt(nowMs) })
  }
}
