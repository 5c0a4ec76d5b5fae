import { z } from 'zod'
import { decimalField, isoField } from '../../fields.ts'
import type { HttpClient } from '../../http.ts'
import { parseRows } from '../../parse-rows.ts'
import type { MarketPage, MarketRow } from '../market-data.ts'

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
    // The free plan has no circulating supply and no valuation: unknown here, not zero.
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

/** CoinPaprika's API v1: all coins in one call. */
export function createCoinPaprika(options: { http: HttpClient; url: string; key: string | null }) {
  const { http, url, key } = options

  async function tickers(): Promise<MarketPage> {
    const rows = await http.fetchJson({
      source: COINPAPRIKA,
      url: `${url}/tickers?quotes=USD`,
      headers: key === null ? {} : { authorization: key },
      schema: z.array(z.unknown()),
    })
    return { ...parseRows(ticker, rows), size: rows.length }
  }

  return { tickers }
}

export type CoinPaprika = ReturnType<typeof createCoinPaprika>
