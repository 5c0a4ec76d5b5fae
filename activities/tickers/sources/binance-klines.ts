import { z } from 'zod'
import { decimalField } from '../../fields.ts'
import type { HttpClient, Refusal } from '../../http-client.ts'
import { parseRows, type QuarantinedRow } from '../../parse-rows.ts'

export const BINANCE_KLINES = 'binance-klines'

/** The last price of a market before an instant. */
export interface ClosePoint {
  at: Date
  pairPrice: string
}

// Open time, open, high, low, close, volume, close time, and more.
const kline = z
  .tuple([z.int(), z.unknown(), z.unknown(), z.unknown(), decimalField, z.unknown(), z.int()], z.unknown())
  .refine(([, , , , close]) => !/^(-|0$)/.test(close), 'close is not above zero')
  .transform(([, , , , close, , closesMs]): ClosePoint => ({ at: new Date(closesMs + 1), pairPrice: close }))

/** Client of Binance's public market data: candles without a key, at most 1,000 per call. */
export function createBinanceKlines({ http, url }: { http: HttpClient; url: string }) {
  /**
   * Closes of the hourly candles that begin in [fromMs, toMs], each dated at the full hour at which it ends.
   */
  async function hours(range: {
    base: string
    target: string
    fromMs: number
    toMs: number
  }): Promise<{ rows: ClosePoint[]; quarantined: QuarantinedRow[] }> {
    const symbol = encodeURIComponent(`${range.base}${range.target}`)
    const rows = await http.fetchJson({
      source: BINANCE_KLINES,
      url: `${url}/api/v3/klines?symbol=${symbol}&interval=1h&startTime=${range.fromMs}&endTime=${range.toMs}&limit=1000`,
      schema: z.array(z.unknown()),
      refuse: refusalOf,
    })
    return parseRows(kline, rows)
  }

  return { hours }
}

export type BinanceKlines = ReturnType<typeof createBinanceKlines>

const errorBody = z.object({ code: z.number(), msg: z.string() })

function refusalOf(body: unknown): Refusal | null {
  const parsed = errorBody.safeParse(body)
  if (!parsed.success) return null
  // -1003: too many requests.
  return {
    reason: `error ${parsed.data.code}: ${parsed.data.msg.slice(0, 100)}`,
    later: parsed.data.code === -1003,
  }
}
