import type { Exchanges } from '../market/exchanges.ts'
import type { Market } from '../market/market.ts'
import type { Statistics } from '../market/statistics.ts'
import { coinChart } from './coingecko-chart.ts'
import { coinDetail } from './coingecko-coin.ts'
import { coinTickers, exchangeRoutes } from './coingecko-exchanges.ts'
import { coinMarkets, imageOf } from './coingecko-markets.ts'
import { exchangeRates, globalData, marketCapChart } from './coingecko-global.ts'
import { ok, type Upstream, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'

export type CoinGeckoWorld = { market: Market; statistics: Statistics; exchanges: Exchanges }

const coinNotFound: UpstreamReply = { status: 404, body: { error: 'coin not found' } }

function coinsList({ market }: CoinGeckoWorld, { query, now }: UpstreamRequest): UpstreamReply {
  const withPlatforms = query.get('include_platform') === 'true'
  return ok(
    market.listedCoins(now).map((coin) => {
      const { id, symbol, name } = coin
      const platforms = Object.entries(coin.platforms).map(([platform, { address }]) => [platform, address])
      return withPlatforms
        ? { id, symbol, name, platforms: Object.fromEntries(platforms) }
        : { id, symbol, name }
    }),
  )
}

function simplePrice({ market, statistics }: CoinGeckoWorld, { query, now }: UpstreamRequest): UpstreamReply {
  const currencies = query.get('vs_currencies')?.split(',')
  if (!currencies) return { status: 422, body: { error: 'Missing parameter vs_currencies' } }
  const flag = (name: string): boolean => query.get(name) === 'true'
  const result: Record<string, Record<string, number | null>> = {}
  for (const id of query.get('ids')?.split(',') ?? []) {
    const coin = market.coin(id)
    if (!coin?.paprikaId || market.priceUsd(id, now) === null) continue
    const row: Record<string, number | null> = {}
    for (const code of currencies) {
      const rate = statistics.perUsd(code, now)
      if (rate === null) continue
      row[code] = statistics.price(coin, code, now)
      if (flag('include_market_cap')) row[`${code}_market_cap`] = market.marketCapUsd(coin, now) * rate
      if (flag('include_24hr_vol')) row[`${code}_24h_vol`] = market.volume24hUsd(coin, now) * rate
      if (flag('include_24hr_change'))
        row[`${code}_24h_change`] = statistics.changePercent(coin, code, now, 86_400)
    }
    if (flag('include_last_updated_at')) row['last_updated_at'] = Math.floor(now) - (Math.floor(now) % 60)
    result[id] = row
  }
  return ok(result)
}

function categories({ market }: CoinGeckoWorld, now: number): UpstreamReply {
  const names = [...new Set(market.listedCoins(now).flatMap((c) => c.categories))].sort()
  const idOf = (name: string): string =>
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/-$/, '')
  return ok(names.map((name) => ({ category_id: idOf(name), name })))
}

/** Simulates CoinGecko's API v3. */
export function createCoinGecko(world: CoinGeckoWorld): Upstream {
  const { market, statistics } = world
  return (request) => {
    const [first, second, third, fourth] = request.path
    const route = request.path.join('/')
    if (route === 'ping') return ok({ gecko_says: '(V3) To the Moon!' })
    if (route === 'global') return globalData(world, request.now)
    if (route === 'global/market_cap_chart') return marketCapChart(world, request)
    if (route === 'exchange_rates') return exchangeRates(world, request.now)
    if (route === 'simple/price') return simplePrice(world, request)
    if (route === 'simple/supported_vs_currencies') return ok(statistics.currencies)
    if (route === 'coins/list') return coinsList(world, request)
    if (route === 'coins/markets') return coinMarkets(world, request)
    if (first === 'exchanges') return exchangeRoutes(world, request)
    if (route === 'coins/categories/list') return categories(world, request.now)
    const coin = first === 'coins' && second ? market.coin(second) : null
    // Coins that only DefiLlama knows are unknown here.
    if (!coin?.paprikaId)
      return first === 'coins' ? coinNotFound : { status: 404, body: { error: 'Incorrect path' } }
    if (third === 'market_chart' && (!fourth || fourth === 'range')) return coinChart(world, coin, request)
    if (third === 'tickers' && !fourth) return coinTickers(world, coin, request)
    if (third || market.priceUsd(coin.id, request.now) === null) return coinNotFound
    return coinDetail(world, coin, { now: request.now, image: imageOf(coin) })
  }
}
