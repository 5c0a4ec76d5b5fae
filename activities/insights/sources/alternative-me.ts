import { z } from 'zod'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import { indexRow, type IndexSource } from '../index-days.ts'

export const ALTERNATIVE_ME = 'alternative-me'

const answer = z.object({ data: z.array(z.unknown()) })
const failure = z.object({ metadata: z.object({ error: z.string().min(1) }) })

/**
 * Client of the Crypto Fear & Greed Index of alternative.me: values are text, newest first; `limit=0` returns
 * all.
 */
export function createAlternativeMe({ http, url }: { http: HttpClient; url: string }): IndexSource {
  return {
    name: ALTERNATIVE_ME,
    async history({ days }) {
      const { data } = await http.fetchJson({
        source: ALTERNATIVE_ME,
        url: `${url}/fng/?limit=${days ?? 0}`,
        schema: answer,
        refuse: (body) => {
          const parsed = failure.safeParse(body)
          return parsed.success ? { reason: parsed.data.metadata.error.slice(0, 200), later: false } : null
        },
      })
      const { rows, quarantined } = parseRows(indexRow, data)
      return { days: rows, quarantined }
    },
  }
}
