import { z } from 'zod'
import { SourceRejected } from '../../errors.ts'
import { positiveField } from '../../fields.ts'
import type { Refusal } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import { CANDLE_MS, type CandleDeps, type CandleSource } from './candles.ts'

export const KRAKEN_OHLC = 'kraken-ohlc'

/** Its names of assets where they differ. */
const NAMES: Record<string, string> = { BTC: 'XBT', DOGE: 'XDG' }

// Open time in seconds, open, high, low, close, and more.
const candle = z.tuple([z.int(), z.unknown(), z.unknown(), z.unknown(), positiveField], z.unknown())
const answer = z.object({ result: z.record(z.string(), z.unknown()) })
const errorBody = z.object({ error: z.array(z.string()).min(1) })

/** Client of Kraken's public candles against the dollar: always the newest 720, whatever is asked. No key. */
export function createKraken({ http, url, now }: CandleDeps): CandleSource {
  return {
    name: KRAKEN_OHLC,
    async candles({ symbol, resolution, fromMs, toMs }) {
      const stepMs = CANDLE_MS[resolution]
      const pair = `${NAMES[symbol] ?? symbol}USD`
      const { result } = await http.fetchJson({
        source: KRAKEN_OHLC,
        url: `${url}/0/public/OHLC?pair=${encodeURIComponent(pair)}&interval=${stepMs / 60_000}`,
        schema: answer,
        refuse: refusalOf,
      })
      // Its key is not the pair that was asked for.
      const rows = Object.values(result).find((value) => Array.isArray(value))
      if (!rows) throw new SourceRejected(KRAKEN_OHLC, `no candles of ${pair}`)
      const closed = parseRows(candle, rows).rows.flatMap(([openS, , , , usd]) => {
        const atMs = openS * 1000 + stepMs
        return atMs <= now().getTime() ? [{ atMs, usd }] : []
      })
      const points = closed.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
      const oldest = closed[0]
      return { points, floorMs: oldest && oldest.atMs > fromMs ? oldest.atMs : null }
    },
  }
}

/** Errors come with status 200. */
function refusalOf(body: unknown): Refusal | null {
  const parsed = errorBody.safeParse(body)
  if (!parsed.success) return null
  const reason = parsed.data.error.join(', ').slice(0, 200)
  return { reason, later: /rate limit|too many requests|EService/i.test(reason) }
}
