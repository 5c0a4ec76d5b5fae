import { DAY_MS, HOUR_MS } from '../db/values/periods.ts'
import { createEsplora } from './chain/sources/esplora.ts'
import { createSolanaRpc } from './chain/sources/solana-rpc.ts'
import type { ActivityDeps } from './deps.ts'
import { SourceRejected } from './errors.ts'
import { createInsightSources } from './insights/insight-sources.ts'
import { FEEDS } from './news/feeds.ts'
import { readFeed } from './news/sources/feed.ts'
import { createNftSources } from './nft/nft-sources.ts'
import { createPredictionSources } from './prediction/prediction-sources.ts'
import { createPriceSources } from './prices/price-sources.ts'
import { createRiskSources } from './risk/risk-sources.ts'
import { createTickerSources } from './tickers/ticker-sources.ts'

type AskDeps = Pick<ActivityDeps, 'http' | 'now' | 'config'>

const USD_COIN = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const USD_COIN_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const BORED_APES = '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d'

/** Public answers of exchanges that need no key: what time it is there. */
const VENUE_CLOCKS: Record<string, string> = {
  binance: '/api/v3/time',
  bitget: '/api/v2/public/time',
  bybit: '/v5/market/time',
  coinbase: '/v2/time',
  gate: '/api/v4/spot/time',
  kraken: '/0/public/Time',
  kucoin: '/api/v1/timestamp',
  okx: '/api/v5/public/time',
}

/**
 * Asks a source that is on for something small, within its allowance, and reads the answer as the ingestion does: throws
 * SourceUnavailable or SourceRejected. Null: there is no cheap question to this one.
 */
export function askSource(name: string, deps: AskDeps): Promise<unknown> | null {
  if (!deps.config.sources[name]) throw new SourceRejected(name, 'this source is off')
  return QUESTIONS[name]?.(deps) ?? askFeed(name, deps) ?? askClock(name, deps)
}

const QUESTIONS: Record<string, (deps: AskDeps) => Promise<unknown> | undefined> = {
  coingecko: (deps) => createPriceSources(deps).coingecko?.marketTotals(),
  coinpaprika: (deps) => createPriceSources(deps).coinpaprika?.marketTotals(),
  defillama: (deps) =>
    createPriceSources(deps).defillama?.currentPrices([{ blockchain: 'ethereum', address: USD_COIN }]),
  frankfurter: (deps) => createPriceSources(deps).frankfurter?.rates(lastWeek(deps)),
  ecb: (deps) => createPriceSources(deps).ecb?.rates(lastWeek(deps)),
  eurofxref: (deps) => createPriceSources(deps).eurofxref?.rates(),
  'binance-klines': (deps) => createTickerSources(deps).binanceKlines?.hours(lastHours(deps)),
  'alternative-me': (deps) => askIndex('alternative-me', deps),
  coinmarketcap: (deps) => askIndex('coinmarketcap', deps),
  opensea: (deps) => createNftSources(deps).opensea?.contract({ networkId: 'ethereum', address: BORED_APES }),
  'alchemy-nft': (deps) =>
    createNftSources(deps).alchemy?.contract({ networkId: 'ethereum', address: BORED_APES }),
  goplus: (deps) => askRisk('goplus', { blockchain: 'ethereum', address: USD_COIN }, deps),
  rugcheck: (deps) => askRisk('rugcheck', { blockchain: 'solana', address: USD_COIN_MINT }, deps),
  'polymarket-gamma': (deps) => createPredictionSources(deps).gamma().events({ closed: false, cursor: null }),
  'polymarket-data': (deps) => createPredictionSources(deps).data().openInterest([]),
  kalshi: (deps) => createPredictionSources(deps).kalshi().cutoff(),
  esplora: ({ http, config }) =>
    createEsplora({ http, url: config.sources['esplora']!.url, reorgDepth: 1 }).head(),
  solana: ({ http, config }) => createSolanaRpc({ http, url: config.sources['solana']!.url }).head(),
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function lastWeek({ now }: AskDeps) {
  const nowMs = now().getTime()
  return { from: day(nowMs - 7 * DAY_MS), to: day(nowMs) }
}

function lastHours({ now }: AskDeps) {
  const nowMs = now().getTime()
  return { base: 'BTC', target: 'USDT', fromMs: nowMs - 2 * HOUR_MS, toMs: nowMs }
}

const askIndex = (name: string, deps: AskDeps) =>
  createInsightSources(deps)
    .indexes.find((index) => index.name === name)
    ?.history({ days: 1 })

const askRisk = (
  name: string,
  token: { blockchain: 'ethereum' | 'solana'; address: string },
  deps: AskDeps,
) =>
  createRiskSources(deps)
    .find((source) => source.name === name)
    ?.check([token])

/** A publisher's feed, as if it had never been read. */
function askFeed(name: string, deps: AskDeps): Promise<unknown> | null {
  const feed = FEEDS.find((one) => one.name === name)
  if (!feed) return null
  const url = deps.config.sources[name]!.url + feed.path
  return readFeed(deps, { source: name, url, validators: { etag: null, lastModified: null } })
}

function askClock(source: string, { http, config }: AskDeps): Promise<unknown> | null {
  const path = VENUE_CLOCKS[source]
  if (path === undefined) return null
  return http.fetchText({
    ...{ source, url: config.sources[source]!.url + path },
    read: ({ status }) => {
      if (status !== 200) throw new SourceRejected(source, `status ${status}`)
    },
  })
}
