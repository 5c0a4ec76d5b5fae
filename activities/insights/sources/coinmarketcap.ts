import { z } from 'zod'
import type { HttpClient, Refusal } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import { type IndexHistory, indexRow, type IndexSource } from '../index-days.ts'

export const COINMARKETCAP = 'coinmarketcap'

const PAGE_SIZE = 500

const answer = z.object({ data: z.array(z.unknown()) })
const status = z.object({
  status: z.object({ error_code: z.coerce.number(), error_message: z.string().nullish() }),
})

/** Client of CoinMarketCap's own Fear and Greed Index: newest first, in pages, requires a key. */
export function createCoinMarketCap(options: {
  http: HttpClient
  url: string
  key: string | null
}): IndexSource {
  const { http, url, key } = options
  return {
    name: COINMARKETCAP,
    async history({ days }) {
      const history: IndexHistory = { days: [], quarantined: [] }
      const wanted = days ?? Infinity
      for (let start = 1; start <= wanted; start += PAGE_SIZE) {
        const limit = Math.min(PAGE_SIZE, wanted - start + 1)
        const { data } = await http.fetchJson({
          source: COINMARKETCAP,
          url: `${url}/v3/fear-and-greed/historical?start=${start}&limit=${limit}`,
          headers: key === null ? {} : { 'x-cmc_pro_api_key': key },
          schema: answer,
          refuse: refusalOf,
        })
        const { rows, quarantined } = parseRows(indexRow, data)
        history.days.push(...rows)
        history.quarantined.push(...quarantined)
        if (data.length < limit) break
      }
      return history
    },
  }
}

/**
 * Reads the error code in the body, whatever the status. 1008 to 1011 are rate limits, 500 is a server error.
 */
function refusalOf(body: unknown): Refusal | null {
  const parsed = status.safeParse(body)
  if (!parsed.success) return null
  const { error_code: code, error_message: message } = parsed.data.status
  if (code === 0) return null
  return {
    reason: `error ${code}: ${(message ?? '').slice(0, 200)}`,
    later: (code >= 1008 && code <= 1011) || code === 500,
  }
}
