import { z } from 'zod'
import { SourceRejected } from '../../errors.ts'
import { millisecondsField, secondsField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows, type QuarantinedRow } from '../../parse-rows.ts'
import type { OrderBook, PricePoint } from '../venue-data.ts'
import { optionalDecimal, probabilityField } from '../venue-fields.ts'
import { sortLevels } from '../sort-levels.ts'

export const POLYMARKET_CLOB = 'polymarket-clob'

const level = z.object({ price: probabilityField, size: optionalDecimal.transform((size) => size ?? '0') })
const orderBookAnswer = z.object({
  bids: z.array(level),
  asks: z.array(level),
  timestamp: millisecondsField,
  tick_size: optionalDecimal,
})
const point = z.object({ t: secondsField, p: probabilityField })

/** Polymarket's order book service: order books and price histories of outcome tokens. */
export function createPolymarketClob({ http, url }: { http: HttpClient; url: string }) {
  const get = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({ source: POLYMARKET_CLOB, url: url + path, schema })

  return {
    /** Polymarket sends the worst levels first. null: the token has no order book */
    async orderBook(tokenId: string): Promise<OrderBook | null> {
      try {
        const answer = await get(`/book?token_id=${tokenId}`, orderBookAnswer)
        return { ...sortLevels(answer), tickSize: answer.tick_size, at: answer.timestamp }
      } catch (error) {
        if (error instanceof SourceRejected && error.message.includes('status 404')) return null
        throw error
      }
    },

    /** `minutes`: the interval between points. */
    async history(options: {
      tokenId: string
      fromMs: number
      toMs: number
      minutes: number
    }): Promise<{ points: PricePoint[]; quarantined: QuarantinedRow[] }> {
      const { tokenId, fromMs, toMs, minutes } = options
      const window = `startTs=${Math.floor(fromMs / 1000)}&endTs=${Math.floor(toMs / 1000)}&fidelity=${minutes}`
      const answer = await get(
        `/prices-history?market=${tokenId}&${window}`,
        z.object({ history: z.array(z.unknown()) }),
      )
      const { rows, quarantined } = parseRows(point, answer.history)
      return { points: rows.map(({ t, p }) => ({ at: t, price: p })), quarantined }
    },
  }
}
