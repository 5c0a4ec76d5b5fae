import { z } from 'zod'
import { NETWORKS } from '../../../db/values/networks.ts'
import { COINGECKO, createCoinGeckoGet, HISTORY_LIMIT } from '../../coingecko.ts'
import { NotInPlan } from '../../errors.ts'
import {
  decimalField,
  isoField,
  millisecondsField,
  positiveField,
  secondsField,
  shareField,
} from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import type { SourcePlan } from '../../ingest-config.ts'
import { parseRows } from '../../parse-rows.ts'
import type {
  CoinDetails,
  HistoryAnswer,
  ListedCoin,
  MarketPage,
  MarketRow,
  MarketTotals,
  PricePoint,
  TotalsAnswer,
} from '../market-data.ts'

export const MARKETS_PAGE_SIZE = 250

const DAY_MS = 86_400_000
const FREE_HISTORY_MS = 365 * DAY_MS

const optionalDecimal = decimalField.nullish().transform((value) => value ?? null)
const optionalIso = isoField.nullish().transform((value) => value ?? null)
// Postgres does not accept NUL in text.
const text = z
  .string()
  .min(1)
  .max(200)
  .refine((value) => !value.includes('\0'))

const marketRow = z
  .object({
    id: text,
    symbol: text,
    name: text,
    image: z.string().nullish(),
    current_price: decimalField.refine((price) => !/^(-|0$)/.test(price), 'price is not above zero'),
    market_cap: optionalDecimal,
    market_cap_rank: z.int().nullish(),
    fully_diluted_valuation: optionalDecimal,
    total_volume: optionalDecimal,
    circulating_supply: optionalDecimal,
    total_supply: optionalDecimal,
    ath: optionalDecimal,
    ath_date: optionalIso,
    atl: optionalDecimal,
    atl_date: optionalIso,
    last_updated: isoField,
    price_change_percentage_1h_in_currency: optionalDecimal,
    price_change_percentage_24h_in_currency: optionalDecimal,
    price_change_percentage_7d_in_currency: optionalDecimal,
    price_change_percentage_30d_in_currency: optionalDecimal,
  })
  .transform((row): MarketRow => ({
    upstreamId: row.id,
    symbol: row.symbol.toUpperCase(),
    name: row.name,
    icon: row.image ?? null,
    rank: row.market_cap_rank ?? null,
    priceUsd: row.current_price,
    volume24hUsd: row.total_volume,
    marketCapUsd: row.market_cap,
    fullyDilutedValuationUsd: row.fully_diluted_valuation,
    availableSupply: row.circulating_supply,
    totalSupply: row.total_supply,
    priceChange1h: row.price_change_percentage_1h_in_currency,
    priceChange1d: row.price_change_percentage_24h_in_currency,
    priceChange1w: row.price_change_percentage_7d_in_currency,
    priceChange1m: row.price_change_percentage_30d_in_currency,
    allTimeHighUsd: row.ath,
    allTimeHighAt: row.ath_date,
    allTimeLowUsd: row.atl,
    allTimeLowAt: row.atl_date,
    at: row.last_updated,
  }))

const listRow = z.object({
  id: text,
  symbol: text,
  name: text,
  platforms: z.record(z.string(), z.string().nullable()).optional(),
})
const chart = z.object({ prices: z.array(z.unknown()) })
const chartPoint = z.tuple([millisecondsField, decimalField.refine((usd) => !/^(-|0$)/.test(usd))])
const totals = z
  .object({
    data: z.object({
      total_market_cap: z.object({ usd: positiveField }),
      total_volume: z.object({ usd: positiveField }),
      market_cap_percentage: z.object({ btc: shareField }),
      market_cap_change_percentage_24h_usd: optionalDecimal,
      volume_change_percentage_24h_usd: optionalDecimal,
      updated_at: secondsField,
    }),
  })
  .transform(({ data }): MarketTotals => ({
    at: data.updated_at,
    marketCapUsd: data.total_market_cap.usd,
    volume24hUsd: data.total_volume.usd,
    btcDominance: data.market_cap_percentage.btc,
    marketCapChange: data.market_cap_change_percentage_24h_usd,
    volumeChange: data.volume_change_percentage_24h_usd,
  }))
const details = z.object({
  categories: z.array(z.string().nullable()).default([]),
  links: z
    .object({
      homepage: z.array(z.string().nullable()).default([]),
      blockchain_site: z.array(z.string().nullable()).default([]),
      subreddit_url: z.string().nullish(),
      twitter_screen_name: z.string().nullish(),
    })
    .optional(),
  detail_platforms: z
    .record(
      z.string(),
      z.object({ decimal_place: z.int().nullish(), contract_address: z.string().nullish() }),
    )
    .default({}),
})

const blockchains = new Map<string | null, string>(
  NETWORKS.map(({ names, blockchain }) => [names.coingecko, blockchain]),
)

/** EVM addresses are case-insensitive and are stored in lower case; other addresses keep their case. */
function contractOf(platform: string, address: string): { blockchain: string; address: string } {
  return {
    blockchain: blockchains.get(platform) ?? platform,
    address: /^0x[0-9a-fA-F]{40}$/.test(address) ? address.toLowerCase() : address,
  }
}

/** Client of CoinGecko's API v3 and compatible services. Handles the history limit of the free plan. */
export function createCoinGecko(options: {
  http: HttpClient
  url: string
  key: string | null
  plan?: SourcePlan
  now: () => Date
}) {
  const { now, plan = 'full' } = options
  const get = createCoinGeckoGet(options)

  async function markets(page: number): Promise<MarketPage> {
    const query = `vs_currency=usd&per_page=${MARKETS_PAGE_SIZE}&page=${page}&price_change_percentage=1h,24h,7d,30d`
    const rows = await get(`/coins/markets?${query}`, z.array(z.unknown()))
    return { ...parseRows(marketRow, rows), size: rows.length }
  }

  async function listings(): Promise<ListedCoin[]> {
    const rows = await get('/coins/list?include_platform=true', z.array(z.unknown()))
    return parseRows(listRow, rows).rows.map(({ id, symbol, name, platforms = {} }) => ({
      upstreamId: id,
      symbol: symbol.toUpperCase(),
      name,
      contracts: Object.entries(platforms).flatMap(([blockchain, address]) =>
        blockchain && address ? [contractOf(blockchain, address)] : [],
      ),
    }))
  }

  async function marketTotals(): Promise<TotalsAnswer> {
    return parseRows(totals, [await get('/global', z.unknown())])
  }

  /**
   * Prices between two instants: hourly for windows up to 90 days, daily for wider ones. Free plans have the
   * last year: a longer window is cut before it is asked for.
   */
  async function history(range: {
    upstreamId: string
    fromMs: number
    toMs: number
  }): Promise<HistoryAnswer> {
    const path = `/coins/${encodeURIComponent(range.upstreamId)}/market_chart/range?vs_currency=usd`
    const earliestMs = now().getTime() - FREE_HISTORY_MS + DAY_MS
    const read = async (fromMs: number): Promise<PricePoint[]> => {
      const window = `&from=${Math.floor(fromMs / 1000)}&to=${Math.ceil(range.toMs / 1000)}`
      const { prices } = await get(path + window, chart)
      return parseRows(chartPoint, prices).rows.map(([at, usd]) => ({ atMs: at.getTime(), usd }))
    }
    const readCut = async (): Promise<HistoryAnswer> => {
      if (earliestMs >= range.toMs) throw new NotInPlan(COINGECKO, HISTORY_LIMIT)
      return { points: await read(earliestMs), floorMs: earliestMs }
    }
    if (plan !== 'full' && range.fromMs < earliestMs) return readCut()
    try {
      return { points: await read(range.fromMs), floorMs: null }
    } catch (error) {
      if (!(error instanceof NotInPlan) || !error.message.endsWith(HISTORY_LIMIT)) throw error
      if (range.fromMs >= earliestMs) throw error
      return readCut()
    }
  }

  async function coinDetails(upstreamId: string): Promise<CoinDetails> {
    const query =
      'localization=false&tickers=false&market_data=false&community_data=false&developer_data=false'
    const coin = await get(`/coins/${encodeURIComponent(upstreamId)}?${query}`, details)
    const filled = (values: readonly (string | null)[] = []): string[] =>
      values.filter((value) => !!value) as string[]
    const twitter = coin.links?.twitter_screen_name
    return {
      categories: filled(coin.categories),
      websiteUrl: filled(coin.links?.homepage)[0] ?? null,
      redditUrl: coin.links?.subreddit_url || null,
      twitterUrl: twitter ? `https://twitter.com/${twitter}` : null,
      explorers: filled(coin.links?.blockchain_site),
      contracts: Object.entries(coin.detail_platforms).flatMap(([blockchain, platform]) => {
        const { contract_address: address, decimal_place: decimals } = platform
        return blockchain && address && typeof decimals === 'number'
          ? [{ ...contractOf(blockchain, address), decimals }]
          : []
      }),
    }
  }

  return { plan, markets, listings, marketTotals, history, coinDetails }
}

export type CoinGecko = ReturnType<typeof createCoinGecko>
