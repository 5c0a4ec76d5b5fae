import type { SandboxCoin } from '../market/coins.ts'
import { exchanges, type SandboxExchange, type SandboxTicker } from '../market/exchanges.ts'
import { hashText, uniform } from '../market/noise.ts'
import type { CoinGeckoWorld } from './coingecko.ts'
import { numberOf, ok, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'

const day = 86_400
const pageSize = 100
const notFound: UpstreamReply = { status: 404, body: { error: 'Exchange not found' } }

type Listed = SandboxExchange & { geckoId: string }

const listed = exchanges.filter((exchange): exchange is Listed => exchange.geckoId !== null)
const ranked = listed.toSorted((a, b) => b.trust - a.trust || b.share - a.share)

const logoOf = (exchange: Listed): string =>
  `https://coin-images.coingecko.com/markets/images/${hashText(1, exchange.name) % 1000}/small/${exchange.geckoId}.png?1706864258`

// Whole seconds with the offset +00:00, unlike the times of coins.
const isoOffset = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, '+00:00')
const digits = (value: number, count: number): number => Number(value.toPrecision(count))

function exchangeRow({ market, exchanges: world }: CoinGeckoWorld, exchange: Listed, now: number) {
  const volumeBtc = world.volume24hUsd(exchange, now) / market.priceUsd('bitcoin', now)!
  return {
    id: exchange.geckoId,
    name: exchange.name,
    year_established: exchange.year,
    country: exchange.country || null,
    description: '',
    url: `https://${exchange.site}/`,
    image: logoOf(exchange),
    has_trading_incentive: false,
    trust_score: exchange.trust,
    trust_score_rank: ranked.indexOf(exchange) + 1,
    trade_volume_24h_btc: volumeBtc,
  }
}

function tickerRow(world: CoinGeckoWorld, exchange: Listed, ticker: SandboxTicker, now: number) {
  const { market } = world
  const [btc, eth] = [market.priceUsd('bitcoin', now)!, market.priceUsd('ethereum', now)!]
  const { coin, base, target, priceUsd, pairPrice, volumeUsd } = ticker
  const key = hashText(market.seed, `${exchange.name} ${base} ${target}`)
  const tradedAt = Math.floor(now) - (key % 55)
  return {
    base,
    target,
    market: {
      name: exchange.name,
      identifier: exchange.geckoId,
      has_trading_incentive: false,
      logo: logoOf(exchange),
    },
    last: digits(pairPrice, 8),
    volume: digits(volumeUsd / priceUsd, 11),
    cost_to_move_up_usd: volumeUsd * 0.02,
    cost_to_move_down_usd: volumeUsd * 0.019,
    converted_last: {
      btc: digits(priceUsd / btc, 8),
      eth: digits(priceUsd / eth, 8),
      usd: digits(priceUsd, priceUsd >= 1000 ? 5 : 6),
    },
    converted_volume: {
      btc: Math.round(volumeUsd / btc),
      eth: Math.round(volumeUsd / eth),
      usd: Math.round(volumeUsd),
    },
    trust_score: null,
    bid_ask_spread_percentage: digits(0.01 + uniform(key, 3) * 0.05, 5),
    timestamp: isoOffset(tradedAt),
    last_traded_at: isoOffset(tradedAt),
    last_fetch_at: isoOffset(Math.floor(now)),
    // A few markets are marked anomalous or stale.
    is_anomaly: key % 97 === 0,
    is_stale: key % 89 === 0,
    trade_url: `https://${exchange.site}/trade/${base}_${target}`,
    token_info_url: null,
    coin_id: coin.id,
    ...(ticker.targetCoinId !== null && { target_coin_id: ticker.targetCoinId }),
    coin_mcap_usd: market.marketCapUsd(coin, now),
  }
}

/** GET /coins/{id}/tickers: a coin's markets on all exchanges, 100 per page. */
export function coinTickers(
  world: CoinGeckoWorld,
  coin: SandboxCoin,
  { query, now }: UpstreamRequest,
): UpstreamReply {
  const page = Math.max(1, numberOf(query, 'page', { or: 1, max: 10_000 }))
  const all = listed.flatMap((exchange) =>
    world.exchanges
      .tickers(exchange, now)
      .filter((ticker) => ticker.coin.id === coin.id)
      .map((ticker) => ({ exchange, ticker })),
  )
  const rows = all
    .sort((a, b) => b.ticker.volumeUsd - a.ticker.volumeUsd)
    .slice((page - 1) * pageSize, page * pageSize)
  return ok({
    name: coin.name,
    tickers: rows.map(({ exchange, ticker }) => tickerRow(world, exchange, ticker, now)),
  })
}

/** GET /exchanges, /exchanges/list, /exchanges/{id}, its /tickers (100 per page) and its /volume_chart. */
export function exchangeRoutes(world: CoinGeckoWorld, request: UpstreamRequest): UpstreamReply {
  const { path, query, now } = request
  const [, id, part] = path
  const page = Math.max(1, numberOf(query, 'page', { or: 1, max: 10_000 }))
  if (id === undefined) {
    const size = Math.max(1, numberOf(query, 'per_page', { or: 100, max: 250 }))
    return ok(
      ranked.slice((page - 1) * size, page * size).map((exchange) => exchangeRow(world, exchange, now)),
    )
  }
  if (id === 'list') return ok(listed.map(({ geckoId, name }) => ({ id: geckoId, name })))
  const exchange = listed.find(({ geckoId }) => geckoId === id)
  if (!exchange) return notFound
  if (part === 'volume_chart') return volumeChart(world, exchange, request)
  const tickers = world.exchanges.tickers(exchange, now)
  const pageOfTickers = tickers
    .slice((page - 1) * pageSize, page * pageSize)
    .map((ticker) => tickerRow(world, exchange, ticker, now))
  if (part === 'tickers') return ok({ name: exchange.name, tickers: pageOfTickers })
  if (part !== undefined) return notFound
  const { id: _id, ...row } = exchangeRow(world, exchange, now)
  return ok({
    ...row,
    centralized: true,
    coins: exchange.coins,
    pairs: tickers.length,
    tickers: pageOfTickers,
  })
}

/**
 * Every ten minutes for one day, hourly up to 14 days, else daily. Volumes are in BTC, as text with 16
 * decimals.
 */
function volumeChart(
  world: CoinGeckoWorld,
  exchange: Listed,
  { query, now }: UpstreamRequest,
): UpstreamReply {
  const days = Number(query.get('days') ?? NaN)
  if (![1, 7, 14, 30, 90, 180, 365].includes(days)) return { status: 422, body: { error: 'Invalid days' } }
  const step = days === 1 ? 600 : days <= 14 ? 3600 : day
  const points: [number, string][] = []
  for (let at = Math.ceil((now - days * day) / step) * step; at <= now; at += step) {
    const btc = world.exchanges.volume24hUsd(exchange, at) / world.market.priceUsd('bitcoin', at)!
    points.push([at * 1000, btc.toFixed(16)])
  }
  return ok(points)
}
