import { fiatCodes, ratePerUsd } from './fiat.ts'
import type { SandboxCoin } from './coins.ts'
import type { Market } from './market.ts'

const hour = 3600
const windowSeconds = 730 * 24 * hour

export type Extremes = { athUsd: number; athAt: number; atlUsd: number; atlAt: number }
export type Statistics = ReturnType<typeof createStatistics>

/** Figures that sources derive from prices: all-time extremes, changes, conversion to other currencies. */
export function createStatistics(market: Market) {
  const known = new Map<string, Extremes & { upTo: number }>()

  /** High and low since two years before the anchor, from hourly prices and the price at `at`. */
  function extremes(coin: SandboxCoin, at: number): Extremes {
    const begin = Math.ceil(Math.max(market.listedAt(coin), market.anchor - windowSeconds) / hour) * hour
    const found = known.get(coin.id) ?? {
      athUsd: -Infinity,
      athAt: begin,
      atlUsd: Infinity,
      atlAt: begin,
      upTo: begin - hour,
    }
    const see = (into: Extremes, t: number): void => {
      const price = market.priceUsd(coin.id, t)
      if (price === null) return
      if (price > into.athUsd) Object.assign(into, { athUsd: price, athAt: t })
      if (price < into.atlUsd) Object.assign(into, { atlUsd: price, atlAt: t })
    }
    for (; found.upTo + hour <= at; found.upTo += hour) see(found, found.upTo + hour)
    known.set(coin.id, found)
    const { athUsd, athAt, atlUsd, atlAt } = found
    const result = { athUsd, athAt, atlUsd, atlAt }
    see(result, at)
    return result
  }

  /** Units of a currency (lower-case code, `btc`, `eth`) per USD; null: unknown. */
  function perUsd(code: string, at: number): number | null {
    if (code === 'usd') return 1
    if (code === 'btc') return 1 / market.priceUsd('bitcoin', at)!
    if (code === 'eth') return 1 / market.priceUsd('ethereum', at)!
    return ratePerUsd({ seed: market.seed, code: code.toUpperCase(), at })
  }

  /** Price in a currency; null: the coin or the currency has none at that instant. */
  function price(coin: SandboxCoin, code: string, at: number): number | null {
    const usd = market.priceUsd(coin.id, at)
    const rate = perUsd(code, at)
    return usd === null || rate === null ? null : usd * rate
  }

  /** Price change in percent in a currency since `seconds` ago; null: a price is missing. */
  function changePercent(coin: SandboxCoin, code: string, at: number, seconds: number): number | null {
    const [before, now] = [price(coin, code, at - seconds), price(coin, code, at)]
    return before === null || now === null ? null : (now / before - 1) * 100
  }

  return {
    extremes,
    perUsd,
    price,
    changePercent,
    currencies: ['btc', 'eth', ...fiatCodes.map((c) => c.toLowerCase())],
  }
}
