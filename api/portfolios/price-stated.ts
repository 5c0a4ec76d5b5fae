import { shownPrices } from '../../db/pnl/valuation/shown-prices.ts'
import type { StatedTransaction } from '../../db/portfolios/portfolio-write.ts'
import { readRatesAt } from '../../db/prices/read-prices.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { decimal, divide, formatDecimal } from '../../db/values/decimal.ts'
import { unknownCurrency } from '../params.ts'
import type { Stated } from './stated-transaction.ts'

/**
 * Stated transactions as they are stored, with prices in USD: the stated price at the rate of its instant, or that of
 * the market. Throws 400 for a currency without rates.
 */
export async function priceStated(db: ReadonlyDb, stated: readonly Stated[]): Promise<StatedTransaction[]> {
  const open = stated.filter(({ price }) => price === null)
  const cells = open.map(({ coinId, at }) => ({ coinId, atMs: at.getTime() }))
  const prices = await shownPrices(db, cells)
  const priceUsd = new Map<Stated, string | null>(
    open.map((one, i) => [one, prices[i] ? formatDecimal(prices[i].usd) : null]),
  )
  for (const [currency, group] of Map.groupBy(
    stated.filter(({ price }) => price !== null),
    (one) => one.currency,
  )) {
    const rates = await readRatesAt(db, { currency, instants: group.map(({ at }) => at) })
    if (!rates) throw unknownCurrency()
    for (const [i, one] of group.entries())
      priceUsd.set(one, formatDecimal(divide(decimal(one.price!), decimal(rates[i]!))))
  }
  return stated.map((one) => ({ ...one, at: one.at.toISOString(), priceUsd: priceUsd.get(one)! }))
}
