import { z } from 'zod'
import { decimalField, isoField, positiveField, secondsField, shareField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { MarketPage, MarketRow, MarketTotals, TotalsAnswer } from '../market-data.ts'

export const COINPAPRIKA = 'coinpaprika'

const optionalDecimal = decimalField.nullish().transform((value) => value ?? null)

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
        price: decimalField.refine((price) => !/^(-|0$)/.test(price), 'price is not above zero'),
        volume_24h: optionalDecimal,
        market_cap: optionalDecimal,
        percent_change_1h: optionalDecimal,
        percent_change_24h: optionalDecimal,
        percent_change_7d: optionalDecimal,
        percent_change_30d: optionalDecimal,
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
    allTimeHighUsd: null,
    allTimeHighAt: null,
    allTimeLowUsd: null,
    allTimeLowAt: null,
    at: row.last_updated,
  }))

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

/** Client of CoinPaprika's API v1: one call for all coins, one for the market totals. */
export function createCoinPaprika(options: { http: HttpClient; url: string; key: string | null }) {
  const { http, url, key } = options

  const headers: Record<string, string> = key === null ? {} : { authorization: key }
  const get = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({ source: COINPAPRIKA, url: url + path, headers, schema })

  async function tickers(): Promise<MarketPage> {
    const rows = await get('/tickers?quotes=USD', z.array(z.unknown()))
    return { ...parseRows(ticker, rows), size: rows.length }
  }

  async function marketTotals(): Promise<TotalsAnswer> {
    return parseRows(totals, [await get('/global', z.unknown())])
  }

  return { tickers, marketTotals }
}

export type CoinPaprika = ReturnType<typeof createCoinPaprika>
