import type { SandboxCoin } from '../market/coins.ts'
import { hashText } from '../market/noise.ts'
import type { CoinGeckoWorld } from './coingecko.ts'
import { isoMs, numberOf, ok, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'

const hour = 3600
const day = 24 * hour

/** Windows of `price_change_percentage`, in seconds. */
export const changeWindows: Record<string, number> = {
  '1h': hour,
  '24h': day,
  '7d': 7 * day,
  '14d': 14 * day,
  '30d': 30 * day,
  '60d': 60 * day,
  '200d': 200 * day,
  '1y': 365 * day,
}

/** URL of the coin's large image. */
export function imageOf(coin: SandboxCoin): string {
  const number = hashText(1, coin.id) % 50_000
  return `https://coin-images.coingecko.com/coins/images/${number}/large/${coin.id}.png?1696501400`
}

// Rounds as CoinGecko does: whole numbers from 10,000, two decimals from 1, else six significant digits.
function shown(value: number | null): number | null {
  if (value === null) return null
  if (Math.abs(value) >= 10_000) return Math.round(value)
  return Number(Math.abs(value) >= 1 ? value.toFixed(2) : value.toPrecision(6))
}

/** A coin's row of the market list in one currency. */
export function marketRow(
  world: CoinGeckoWorld,
  coin: SandboxCoin,
  options: { code: string; now: number; rank: number },
) {
  const { market, statistics } = world
  const { code, now, rank } = options
  const rate = statistics.perUsd(code, now)!
  const at = (t: number): number | null => statistics.price(coin, code, t)
  const price = at(now)!
  const dayAgo = at(now - day)
  const change = dayAgo === null ? null : price - dayAgo
  const percent = dayAgo === null ? null : (price / dayAgo - 1) * 100
  const lastDay = [price, ...Array.from({ length: 24 }, (_, i) => at(Math.floor(now / hour - i) * hour))]
  const prices = lastDay.filter((p) => p !== null)
  const { athUsd, athAt, atlUsd, atlAt } = statistics.extremes(coin, now)
  const [ath, atl] = [athUsd * statistics.perUsd(code, athAt)!, atlUsd * statistics.perUsd(code, atlAt)!]
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    image: imageOf(coin),
    current_price: shown(price),
    market_cap: Math.round(price * coin.circulatingSupply),
    market_cap_rank: rank,
    fully_diluted_valuation: Math.round(price * (coin.maxSupply ?? coin.totalSupply)),
    total_volume: Math.round(market.volume24hUsd(coin, now) * rate),
    high_24h: shown(Math.max(...prices)),
    low_24h: shown(Math.min(...prices)),
    price_change_24h: change,
    price_change_percentage_24h: percent && Number(percent.toFixed(5)),
    market_cap_change_24h: change && change * coin.circulatingSupply,
    market_cap_change_percentage_24h: percent && Number(percent.toFixed(5)),
    circulating_supply: coin.circulatingSupply,
    total_supply: coin.totalSupply,
    max_supply: coin.maxSupply,
    ath: shown(ath),
    ath_change_percentage: Number(((price / ath - 1) * 100).toFixed(5)),
    ath_date: isoMs(athAt),
    atl: shown(atl),
    atl_change_percentage: Number(((price / atl - 1) * 100).toFixed(5)),
    atl_date: isoMs(atlAt),
    roi: null,
    last_updated: isoMs(Math.floor(now / 60) * 60 + 21.599),
    market_cap_rank_with_rehypothecated: rank,
  }
}

/** GET /coins/markets. */
export function coinMarkets(world: CoinGeckoWorld, { query, now }: UpstreamRequest): UpstreamReply {
  const { market, statistics } = world
  const code = query.get('vs_currency')
  if (!code) return { status: 422, body: { error: 'Missing parameter vs_currency' } }
  if (statistics.perUsd(code, now) === null) return { status: 400, body: { error: 'invalid vs_currency' } }
  const perPage = numberOf(query, 'per_page', { or: 100, max: 250 })
  const page = Math.max(1, numberOf(query, 'page', { or: 1, max: 10_000 }))
  const ids = query.get('ids')?.split(',').filter(Boolean)
  const windows = query.get('price_change_percentage')?.split(',') ?? []
  const ranked = market.listedCoins(now).map((coin, i) => ({ coin, rank: i + 1 }))
  const chosen = ids?.length ? ranked.filter(({ coin }) => ids.includes(coin.id)) : ranked
  const rows = chosen.slice((page - 1) * perPage, page * perPage).map(({ coin, rank }) => {
    const row: Record<string, unknown> = marketRow(world, coin, { code, now, rank })
    if (query.get('sparkline') === 'true') {
      const hours = Array.from({ length: 168 }, (_, i) =>
        statistics.price(coin, code, Math.floor(now / hour - 167 + i) * hour),
      )
      row['sparkline_in_7d'] = { price: hours.filter((p) => p !== null) }
    }
    for (const window of windows.filter((w) => w in changeWindows)) {
      const change = statistics.changePercent(coin, code, now, changeWindows[window]!)
      row[`price_change_percentage_${window}_in_currency`] = change
    }
    return row
  })
  return ok(rows)
}
