import type { SandboxCoin } from '../market/coins.ts'
import type { Exchanges } from '../market/exchanges.ts'
import type { Market } from '../market/market.ts'
import { hashText, uniform } from '../market/noise.ts'
import type { Statistics } from '../market/statistics.ts'
import { paprikaExchanges } from './coinpaprika-exchanges.ts'
import { isoSeconds, ok, type Upstream, type UpstreamReply } from '../upstream.ts'

type World = { market: Market; statistics: Statistics; exchanges: Exchanges }

const minute = 60
const day = 86_400
const windows: Record<string, number> = {
  '15m': 15 * minute,
  '30m': 30 * minute,
  '1h': 60 * minute,
  '6h': 360 * minute,
  '12h': 720 * minute,
  '24h': day,
  '7d': 7 * day,
  '30d': 30 * day,
  '1y': 365 * day,
}
const platformIds: Record<string, string> = { 'eth-ethereum': 'ethereum', 'base-base': 'base' }
const notFound: UpstreamReply = { status: 404, body: { error: 'id not found' } }
const historySeconds = 730 * day

function quote({ market, statistics }: World, coin: SandboxCoin, code: string, now: number) {
  const rate = statistics.perUsd(code, now)!
  // A second source sees other exchanges, so its prices differ by up to 0.15 %.
  const skew = 1 + (uniform(hashText(market.seed, coin.id), Math.floor(now / 300)) - 0.5) * 0.003
  const price = statistics.price(coin, code, now)! * skew
  const { athUsd, athAt } = statistics.extremes(coin, now)
  const ath = athUsd * statistics.perUsd(code, athAt)!
  const percent = (seconds: number): number =>
    Number((statistics.changePercent(coin, code, now, seconds) ?? 0).toFixed(2))
  const volume = market.volume24hUsd(coin, now)
  return {
    price,
    volume_24h: volume * rate,
    volume_24h_change_24h: Number(
      ((volume / (market.volume24hUsd(coin, now - day) || volume) - 1) * 100).toFixed(2),
    ),
    market_cap: Math.round(price * coin.circulatingSupply),
    market_cap_change_24h: percent(day),
    ...Object.fromEntries(
      Object.entries(windows).map(([w, seconds]) => [`percent_change_${w}`, percent(seconds)]),
    ),
    ath_price: ath,
    ath_date: isoSeconds(athAt),
    percent_from_price_ath: Number(((price / ath - 1) * 100).toFixed(2)),
  }
}

function ticker(world: World, coin: SandboxCoin, options: { rank: number; codes: string[]; now: number }) {
  const { rank, codes, now } = options
  const firstData = Math.max(world.market.listedAt(coin), world.market.anchor - historySeconds)
  const quotes = codes.map((code) => [code, quote(world, coin, code.toLowerCase(), now)])
  return {
    id: coin.paprikaId,
    name: coin.name,
    symbol: coin.symbol.toUpperCase(),
    rank,
    total_supply: coin.totalSupply,
    max_supply: coin.maxSupply ?? 0,
    beta_value: coin.beta,
    first_data_at: isoSeconds(firstData),
    last_updated: isoSeconds(now - (now % 60)),
    quotes: Object.fromEntries(quotes),
  }
}

/** Simulates CoinPaprika's API v1 on the free plan, which has no circulating supply. */
export function createCoinPaprika(world: World): Upstream {
  const { market, statistics } = world

  function global(now: number): UpstreamReply {
    const listed = market.listedCoins(now)
    const cap = (at: number): number => listed.reduce((sum, c) => sum + market.marketCapUsd(c, at), 0)
    const volume = (at: number): number => listed.reduce((sum, c) => sum + market.volume24hUsd(c, at), 0)
    const percent = (of: (at: number) => number): number =>
      Number(((of(now) / of(now - day) - 1) * 100).toFixed(2))
    const bitcoin = market.marketCapUsd(market.coin('bitcoin')!, now)
    const weeks = Array.from({ length: 105 }, (_, i) => now - i * 7 * day)
    const highest = (of: (at: number) => number) =>
      weeks.map((at) => ({ at, value: of(at) })).reduce((a, b) => (b.value > a.value ? b : a))
    const [bestCap, bestVolume] = [highest(cap), highest(volume)]
    const fromBest = volume(now) / bestVolume.value
    return ok({
      market_cap_usd: Math.round(cap(now)),
      volume_24h_usd: Math.round(volume(now)),
      bitcoin_dominance_percentage: Number(((bitcoin / cap(now)) * 100).toFixed(2)),
      cryptocurrencies_number: listed.length,
      market_cap_ath_value: Math.round(bestCap.value),
      market_cap_ath_date: isoSeconds(bestCap.at),
      volume_24h_ath_value: Math.round(bestVolume.value),
      volume_24h_ath_date: isoSeconds(bestVolume.at),
      volume_24h_percent_from_ath: Number(((fromBest - 1) * 100).toFixed(2)),
      volume_24h_percent_to_ath: Math.min(Number(((1 / fromBest - 1) * 100).toFixed(2)), 9999.99),
      market_cap_change_24h: percent(cap),
      volume_24h_change_24h: percent(volume),
      last_updated: Math.floor(now),
    })
  }

  return ({ path, query, now }) => {
    const codes = (query.get('quotes') ?? 'USD').split(',').map((c) => c.toUpperCase())
    const unknown = codes.find((c) => statistics.perUsd(c.toLowerCase(), now) === null)
    if (unknown) return { status: 400, body: { error: 'invalid parameters' } }
    const [first, second, third] = path
    const listed = market.listedCoins(now)
    const one = (coin: SandboxCoin | null | undefined): UpstreamReply => {
      const rank = coin ? listed.indexOf(coin) + 1 : 0
      return coin && rank > 0 ? ok(ticker(world, coin, { rank, codes, now })) : notFound
    }
    if (first === 'tickers' && !second) {
      return ok(listed.map((coin, i) => ticker(world, coin, { rank: i + 1, codes, now })))
    }
    if (first === 'tickers') return one(listed.find((c) => c.paprikaId === second))
    if (first === 'global') return global(now)
    if (first === 'exchanges' && !second) return paprikaExchanges(world.exchanges, now)
    if (first === 'contracts' && second && third)
      return one(market.coinOfContract(platformIds[second] ?? '', third))
    if (first === 'coins' && !second) {
      return ok(
        market.everListed(now).map((coin) => ({
          id: coin.paprikaId,
          name: coin.name,
          symbol: coin.symbol.toUpperCase(),
          rank: listed.indexOf(coin) + 1,
          is_new: now - market.listedAt(coin) < 5 * day,
          is_active: listed.includes(coin),
          type: Object.keys(coin.platforms).length > 0 ? 'token' : 'coin',
        })),
      )
    }
    return notFound
  }
}
