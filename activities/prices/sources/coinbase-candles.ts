import { z } from 'zod'
import { positiveField } from '../../fields.ts'
import { parseRows } from '../../parse-rows.ts'
import type { PricePoint } from '../market-data.ts'
import { CANDLE_MS, type CandleDeps, type CandleSource } from './candles.ts'

export const COINBASE_CANDLES = 'coinbase-candles'

/** A longer window is refused. */
const ROWS = 300

// Open time in seconds, low, high, open, close, volume.
const candle = z.tuple([z.int(), z.unknown(), z.unknown(), z.unknown(), positiveField], z.unknown())

/** Client of Coinbase Exchange's public candles against the dollar. No key. */
export function createCoinbase({ http, url, now }: CandleDeps): CandleSource {
  return {
    name: COINBASE_CANDLES,
    async candles({ symbol, resolution, fromMs, toMs }) {
      const stepMs = CANDLE_MS[resolution]
      const points: PricePoint[] = []
      // The candle that is still open has no close.
      const lastMs = Math.min(toMs, now().getTime()) - stepMs
      const firstMs = Math.ceil((fromMs - stepMs) / stepMs) * stepMs
      for (let startMs = firstMs; startMs <= lastMs; startMs += ROWS * stepMs) {
        const endMs = Math.min(lastMs, startMs + (ROWS - 1) * stepMs)
        const window = `start=${new Date(startMs).toISOString()}&end=${new Date(endMs).toISOString()}`
        const rows = await http.fetchJson({
          source: COINBASE_CANDLES,
          url: `${url}/products/${encodeURIComponent(symbol)}-USD/candles?granularity=${stepMs / 1000}&${window}`,
          // It refuses requests without a user agent.
          headers: { 'user-agent': 'Sluice/0.1' },
          schema: z.array(z.unknown()),
        })
        for (const [openS, , , , usd] of parseRows(candle, rows).rows)
          points.push({ atMs: openS * 1000 + stepMs, usd })
      }
      return { points, floorMs: null }
    },
  }
}
