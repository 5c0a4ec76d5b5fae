import { z } from 'zod'
import { createCoinGeckoGet } from '../../coingecko.ts'
import { decimalField, isoField, millisecondsField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows, type QuarantinedRow } from '../../parse-rows.ts'
import type { ExchangeList, ExchangeRow, TickerPage, TickerRow } from '../exchange-data.ts'

export const TICKERS_PAGE_SIZE = 100
const EXCHANGES_PAGE_SIZE = 250

// Postgres does not accept NUL in text.
const text = z
  .string()
  .min(1)
  .max(200)
  .refine((value) => !value.includes('\0'))
const aboveZero = decimalField.refine((value) => !/^(-|0$)/.test(value), 'not above zero')
const notNegative = decimalField.refine((value) => !value.startsWith('-'), 'below zero')

const exchangeRow = z
  .object({
    id: text,
    name: text,
    url: z.string().nullish(),
    image: z.string().nullish(),
    trade_volume_24h_btc: notNegative.nullish(),
  })
  .transform((row): ExchangeRow => ({
    upstreamId: row.id,
    name: row.name,
    icon: row.image || null,
    url: row.url || null,
    volume24h: row.trade_volume_24h_btc ?? null,
    volume7d: null,
    volume30d: null,
    currency: 'BTC',
  }))

const tickerRow = z
  .object({
    base: text,
    target: text,
    coin_id: z.string().nullish(),
    target_coin_id: z.string().nullish(),
    last: aboveZero,
    volume: notNegative,
    converted_last: z.object({ usd: aboveZero }),
    converted_volume: z.object({ usd: notNegative }),
    last_traded_at: isoField,
    is_anomaly: z.boolean(),
    is_stale: z.boolean(),
  })
  .transform((row): TickerRow => ({
    base: row.base.toUpperCase(),
    target: row.target.toUpperCase(),
    baseUpstreamId: row.coin_id || null,
    targetUpstreamId: row.target_coin_id || null,
    pairPrice: row.last,
    pairVolume: row.volume,
    priceUsd: row.converted_last.usd,
    volumeUsd: row.converted_volume.usd,
    doubtful: row.is_anomaly || row.is_stale,
    at: row.last_traded_at,
  }))

const tickersBody = z.object({ tickers: z.array(z.unknown()) })
const volumePoint = z
  .tuple([millisecondsField, notNegative])
  .transform(([at, volume24hBtc]) => ({ at, volume24hBtc }))

/** Volume over the 24 hours before an instant. */
export interface VolumePoint {
  at: Date
  volume24hBtc: string
}

/**
 * Client of the exchanges in CoinGecko's API v3. Volumes are in BTC; the pair price of a market is in its
 * target.
 */
export function createCoinGecko(options: { http: HttpClient; url: string; key: string | null }) {
  const get = createCoinGeckoGet(options)

  /** The first 250 exchanges by CoinGecko's trust score. */
  async function exchanges(): Promise<ExchangeList> {
    const rows = await get(`/exchanges?per_page=${EXCHANGES_PAGE_SIZE}&page=1`, z.array(z.unknown()))
    return parseRows(exchangeRow, rows)
  }

  /** One page of the markets of an exchange, largest volume first. */
  async function tickers({ upstreamId, page }: { upstreamId: string; page: number }): Promise<TickerPage> {
    const path = `/exchanges/${encodeURIComponent(upstreamId)}/tickers?page=${page}&order=volume_desc`
    const body = await get(path, tickersBody)
    return { ...parseRows(tickerRow, body.tickers), size: body.tickers.length }
  }

  /** Hourly points of the last 14 days. */
  async function volumes(
    upstreamId: string,
  ): Promise<{ rows: VolumePoint[]; quarantined: QuarantinedRow[] }> {
    const path = `/exchanges/${encodeURIComponent(upstreamId)}/volume_chart?days=14`
    return parseRows(volumePoint, await get(path, z.array(z.unknown())))
  }

  return { exchanges, tickers, volumes }
}

export type CoinGecko = ReturnType<typeof createCoinGecko>
