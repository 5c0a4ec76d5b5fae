import { z } from 'zod'
import { NotInPlan } from '../../errors.ts'
import { positiveField } from '../../fields.ts'
import type { Refusal } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { PricePoint } from '../market-data.ts'
import { CANDLE_MS, type CandleDeps, type CandleSource } from './candles.ts'

/** The tickers area declares it. */
export const BINANCE_KLINES = 'binance-klines'

const INTERVALS = { hour: '1h', day: '1d' } as const
const ROWS = 1_000

// Open time, open, high, low, close, volume, close time, and more.
const kline = z
  .tuple([z.int(), z.unknown(), z.unknown(), z.unknown(), positiveField, z.unknown(), z.int()], z.unknown())
  .transform(([, , , , usd, , closesMs]): PricePoint => ({ atMs: closesMs + 1, usd }))
const errorBody = z.object({ code: z.number(), msg: z.string() })

/** Client of Binance's public candles against USDT, which is not quite the dollar. No key. */
export function createBinance({ http, url, now }: CandleDeps): CandleSource {
  let barredUntilMs = 0

  async function ask(query: string): Promise<unknown[]> {
    if (now().getTime() < barredUntilMs) throw new NotInPlan(BINANCE_KLINES, 'not from this address')
    try {
      return await http.fetchJson({
        source: BINANCE_KLINES,
        url: `${url}/api/v3/klines?${query}`,
        schema: z.array(z.unknown()),
        refuse: refusalOf,
      })
    } catch (error) {
      // 451 and 403 are of the address and not of the symbol: no other symbol will do.
      if (error instanceof NotInPlan) barredUntilMs = now().getTime() + CANDLE_MS.day
      throw error
    }
  }

  return {
    name: BINANCE_KLINES,
    async candles({ symbol, resolution, fromMs, toMs }) {
      const stepMs = CANDLE_MS[resolution]
      const points: PricePoint[] = []
      // A candle ends one step after it begins.
      const lastMs = Math.min(toMs, now().getTime()) - stepMs
      for (let startMs = fromMs - stepMs; startMs <= lastMs; startMs += ROWS * stepMs) {
        const endMs = Math.min(lastMs, startMs + ROWS * stepMs - 1)
        const market = `symbol=${encodeURIComponent(symbol)}USDT&interval=${INTERVALS[resolution]}`
        const rows = await ask(`${market}&startTime=${startMs}&endTime=${endMs}&limit=${ROWS}`)
        points.push(...parseRows(kline, rows).rows)
      }
      return { points, floorMs: null }
    },
  }
}

function refusalOf(body: unknown): Refusal | null {
  const parsed = errorBody.safeParse(body)
  if (!parsed.success) return null
  const { code, msg } = parsed.data
  // -1003: too many requests.
  return { reason: `error ${code}: ${msg.slice(0, 100)}`, later: code === -1003 }
}
