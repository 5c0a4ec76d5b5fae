import { fiatNames } from '../market/fiat.ts'
import type { CoinGeckoWorld } from './coingecko.ts'
import { ok, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'

const hour = 3600
const day = 24 * hour
const historySeconds = 730 * day

/** GET /global. */
export function globalData({ market, statistics }: CoinGeckoWorld, now: number): UpstreamReply {
  const listed = market.listedCoins(now)
  const capUsd = (at: number): number => listed.reduce((sum, c) => sum + market.marketCapUsd(c, at), 0)
  const volumeUsd = (at: number): number => listed.reduce((sum, c) => sum + market.volume24hUsd(c, at), 0)
  const total = capUsd(now)
  const inEach = (usd: number): Record<string, number> => {
    const pairs = statistics.currencies.map((code) => [code, statistics.perUsd(code, now)] as const)
    return Object.fromEntries(pairs.flatMap(([code, rate]) => (rate === null ? [] : [[code, usd * rate]])))
  }
  const shares = listed.slice(0, 10).map((c) => [c.symbol, (market.marketCapUsd(c, now) / total) * 100])
  return ok({
    data: {
      active_cryptocurrencies: listed.length,
      upcoming_icos: 0,
      ongoing_icos: 49,
      ended_icos: 3376,
      markets: 1476,
      total_market_cap: inEach(total),
      total_volume: inEach(volumeUsd(now)),
      market_cap_percentage: Object.fromEntries(shares),
      market_cap_change_percentage_24h_usd: (total / capUsd(now - day) - 1) * 100,
      volume_change_percentage_24h_usd: (volumeUsd(now) / volumeUsd(now - day) - 1) * 100,
      updated_at: Math.floor(now),
    },
  })
}

/**
 * GET /global/market_cap_chart (paid plans only): hourly for one day, else daily; the last point is the
 * present.
 */
export function marketCapChart({ market }: CoinGeckoWorld, { query, now }: UpstreamRequest): UpstreamReply {
  const days = query.get('days') === 'max' ? Infinity : Number(query.get('days') ?? NaN)
  if (Number.isNaN(days)) return { status: 422, body: { error: 'Missing parameter days' } }
  const step = days <= 1 ? hour : day
  const from = Math.max(now - days * day, market.anchor - historySeconds)
  const instants: number[] = []
  for (let at = Math.ceil(from / step) * step; at < now; at += step) instants.push(at)
  instants.push(Math.floor(now))
  const sum = (of: (at: number) => number): [number, number][] => instants.map((at) => [at * 1000, of(at)])
  // A delisted coin has no price, so it adds nothing.
  const capUsd = (at: number): number =>
    market.everListed(at).reduce((total, c) => total + market.marketCapUsd(c, at), 0)
  const volumeUsd = (at: number): number =>
    market.everListed(at).reduce((total, c) => total + market.volume24hUsd(c, at), 0)
  return ok({ market_cap_chart: { market_cap: sum(capUsd), volume: sum(volumeUsd) } })
}

/** GET /exchange_rates: units of each currency per bitcoin. */
export function exchangeRates({ market, statistics }: CoinGeckoWorld, now: number): UpstreamReply {
  const bitcoinUsd = market.priceUsd('bitcoin', now)!
  const names: Record<string, string> = { btc: 'Bitcoin', eth: 'Ether' }
  const rates: Record<string, { name: string; unit: string; value: number; type: string }> = {}
  for (const code of statistics.currencies) {
    const rate = statistics.perUsd(code, now)
    if (rate === null) continue
    const crypto = code in names
    rates[code] = {
      name: names[code] ?? fiatNames[code.toUpperCase()]!,
      unit: code === 'usd' ? '$' : code === 'eur' ? '€' : code.toUpperCase(),
      value: Number((bitcoinUsd * rate).toFixed(3)),
      type: crypto ? 'crypto' : 'fiat',
    }
  }
  return ok({ rates })
}
