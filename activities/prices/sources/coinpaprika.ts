import { z } from 'zod'
import { COINPAPRIKA, createCoinPaprikaGet } from '../../coinpaprika.ts'
import { NotInPlan } from '../../errors.ts'
import { decimalField, isoField, positiveField, secondsField, shareField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import type { SourcePlan } from '../../ingest-config.ts'
import { parseRows } from '../../parse-rows.ts'
import type {
  HistoryAnswer,
  MarketPage,
  MarketRow,
  MarketTotals,
  PricePoint,
  TotalsAnswer,
} from '../market-data.ts'

const optionalDecimal = decimalField.nullish().transform((value) => value ?? null)

/** 0: not known */
const optionalPrice = optionalDecimal.transform((value) => (value === '0' ? null : value))
const optionalIso = isoField.nullish().transform((value) => value ?? null)

const ticker = z
  .object({
    id: z.string().min(1).max(200),
    symbol: z.string().min(1).max(200),
    name: z.string().min(1).max(200),
    rank: z.int().nullish(),
    total_supply: optionalDecimal,
    last_updated: isoField,
    quotes: z.object({
      USD: z.object({
        price: positiveField,
        volume_24h: optionalDecimal,
        market_cap: optionalDecimal,
        percent_change_1h: optionalDecimal,
        percent_change_24h: optionalDecimal,
        percent_change_7d: optionalDecimal,
        percent_change_30d: optionalDecimal,
        ath_price: optionalPrice,
        ath_date: optionalIso,
      }),
    }),
  })
  .transform(({ quotes: { USD }, ...row }): MarketRow => ({
    upstreamId: row.id,
    symbol: row.symbol.toUpperCase(),
    name: row.name,
    icon: null,
    rank: row.rank ?? null,
    priceUsd: USD.price,
    volume24hUsd: USD.volume_24h,
    marketCapUsd: USD.market_cap,
    // The free plan has no circulating supply and no valuation: store unknown, not zero.
    fullyDilutedValuationUsd: null,
    availableSupply: null,
    totalSupply: row.total_supply,
    priceChange1h: USD.percent_change_1h,
    priceChange1d: USD.percent_change_24h,
    priceChange1w: USD.percent_change_7d,
    priceChange1m: USD.percent_change_30d,
    allTimeHighUsd: USD.ath_price,
    allTimeHighAt: USD.ath_date,
    allTimeLowUsd: null,
    allTimeLowAt: null,
    at: row.last_updated,
  }))

/** Dead coins have the price 0 or null. */
const unpriced = z.object({
  quotes: z.object({ USD: z.object({ price: z.union([z.literal(0), z.null()]) }) }),
})

const day = z
  .object({ timestamp: isoField, price: positiveField })
  .transform(({ timestamp, price }): PricePoint => ({ atMs: timestamp.getTime(), usd: price }))

/** Days of the free plan; the vendor's pages do not agree whether it has any. */
const FREE_HISTORY_MS = 365 * 86_400_000
const SLACK_MS = 86_400_000

/** `last_updated` is in Unix seconds here, but ISO text in the tickers. */
const totals = z
  .object({
    market_cap_usd: positiveField,
    volume_24h_usd: positiveField,
    bitcoin_dominance_percentage: shareField,
    market_cap_change_24h: optionalDecimal,
    volume_24h_change_24h: optionalDecimal,
    last_updated: secondsField,
  })
  .transform((row): MarketTotals => ({
    at: row.last_updated,
    marketCapUsd: row.market_cap_usd,
    volume24hUsd: row.volume_24h_usd,
    btcDominance: row.bitcoin_dominance_percentage,
    marketCapChange: row.market_cap_change_24h,
    volumeChange: row.volume_24h_change_24h,
  }))

/** Client of CoinPaprika's API v1: one call for all coins, one for the market totals, one for the days of a coin. */
export function createCoinPaprika(options: {
  http: HttpClient
  url: string
  key: string | null
  plan?: SourcePlan
  now: () => Date
}) {
  const { plan = 'full', now } = options
  const get = createCoinPaprikaGet(options)

  async function tickers(): Promise<MarketPage> {
    const rows = await get('/tickers?quotes=USD', z.array(z.unknown()))
    const priced = rows.filter((row) => !unpriced.safeParse(row).success)
    return { ...parseRows(ticker, priced), size: rows.length }
  }

  async function marketTotals(): Promise<TotalsAnswer> {
    return parseRows(totals, [await get('/global', z.unknown())])
  }

  /** Prices at UTC midnights. A plan without them refuses by 402. */
  async function days(range: { upstreamId: string; fromMs: number; toMs: number }): Promise<HistoryAnswer> {
    const earliestMs = now().getTime() - FREE_HISTORY_MS + SLACK_MS
    const isCut = plan !== 'full' && range.fromMs < earliestMs
    if (isCut && earliestMs >= range.toMs) throw new NotInPlan(COINPAPRIKA, 'history limit of one year')
    const start = new Date(isCut ? earliestMs : range.fromMs).toISOString()
    const window = `start=${start}&end=${new Date(range.toMs).toISOString()}&limit=1000&interval=1d`
    const path = `/tickers/${encodeURIComponent(range.upstreamId)}/historical?${window}`
    const rows = await get(path, z.array(z.unknown()))
    return { points: parseRows(day, rows).rows, floorMs: isCut ? earliestMs : null }
  }

  return { plan, tickers, marketTotals, days }
}

export type CoinPaprika = ReturnType<typeof createCoinPaprika>
