import type { ReadonlyDb } from '../../schema.ts'
import { compare, type Decimal } from '../../values/decimal.ts'
import { fiatRates } from '../valuation/price-book.ts'
import { type PriceInForce, pricesInForce } from '../valuation/prices-in-force.ts'
import type { shownPrices } from '../valuation/shown-prices.ts'
import { UNIT_COINS } from '../../values/coins.ts'

/** A price with its source and instant. */
export interface Origin {
  usd: Decimal
  atMs: number
  source: string
}

/** Source of a price that came with the transaction and is not the price in force: stated or paid. */
const OF_TRANSACTION = 'transaction'

export const originOf = ({ usd, atMs, source, rateMs }: PriceInForce): Origin => ({
  usd,
  atMs: rateMs ?? atMs,
  source: source ?? OF_TRANSACTION,
})

/** Origins of the prices used for transactions, in their order. */
export async function priceOrigins(
  db: ReadonlyDb,
  prices: readonly { coinId: string; atMs: number; usd: Decimal }[],
): Promise<Origin[]> {
  const inForce = await pricesInForce(db, prices)
  return prices.map(({ atMs, usd }, index) => {
    const price = inForce[index]
    return price && compare(price.usd, usd) === 0 ? originOf(price) : { usd, atMs, source: OF_TRANSACTION }
  })
}

/**
 * Returns the conversion rate at an instant. `usd` is the price of one BTC or ETH, or for a fiat currency
 * that of one USD in it. Null for USD, and when there is no rate, so that amounts are 0. `pricesOf`:
 * `pricesInForce` for flows, `shownPrices` for values.
 */
export async function rateOrigins(
  db: ReadonlyDb,
  input: { currency: string; instantsMs: readonly number[]; pricesOf: typeof shownPrices },
): Promise<(atMs: number) => Origin | null> {
  const { currency, instantsMs } = input
  if (currency === 'USD' || instantsMs.length === 0) return () => null
  if (currency === 'BTC' || currency === 'ETH') {
    const coinId = UNIT_COINS[currency === 'BTC' ? 'btc' : 'eth']
    const prices = await input.pricesOf(
      db,
      instantsMs.map((atMs) => ({ coinId, atMs })),
    )
    const byInstant = new Map(instantsMs.map((atMs, index) => [atMs, prices[index]]))
    return (atMs) => {
      const price = byInstant.get(atMs)
      return price ? originOf(price) : null
    }
  }
  const rateAt = await fiatRates({
    db,
    currency,
    fromMs: Math.min(...instantsMs),
    toMs: Math.max(...instantsMs),
  })
  return (atMs) => rateAt && originOf(rateAt(atMs))
}
