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
  now: () => Date
}): IndexSource {
  const { http, url, key, now } = options
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
          refuse: (body) => refusalOf(body, now()),
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

/** Codes of the key (1001, 1002), of payment (1003, 1004) and of the plan (1005 to 1007). */
const isOfPlan = (code: number) => code >= 1001 && code <= 1007

/**
 * Reads the error code in the body, whatever the status: 1008 and 1011 are limits of a minute, 1009 that of a
 * day, 1010 that of a month, 500 is a server error.
 */
function refusalOf(body: unknown, now: Date): Refusal | null {
  const parsed = status.safeParse(body)
  if (!parsed.success) return null
  const { error_code: code, error_message: message } = parsed.data.status
  if (code === 0) return null
  const reason = `error ${code}: ${(message ?? '').slice(0, 200)}`
  if (code === 1009 || code === 1010) return { reason, later: true, waitMs: endOf(code, now) - now.getTime() }
  return { reason, later: [1008, 1011, 500].includes(code), plan: isOfPlan(code) }
}

/** When the day or the month in UTC ends. */
const endOf = (code: 1009 | 1010, now: Date): number =>
  code === 1009
    ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
    : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
