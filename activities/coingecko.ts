import { z } from 'zod'
import type { HttpClient, Refusal } from './http-client.ts'

export const COINGECKO = 'coingecko'
/** Ends the error message when the plan does not cover the requested history. */
export const HISTORY_LIMIT = 'history limit (10012)'

/** GET for CoinGecko's API v3 with its key and its error format. Adapters of every area use it. */
export function createCoinGeckoGet({
  http,
  url,
  key,
}: {
  http: HttpClient
  url: string
  key: string | null
}) {
  const plan = new URL(url).hostname.startsWith('pro-') ? 'pro' : 'demo'
  const headers = key === null ? {} : { [`x-cg-${plan}-api-key`]: key }
  return <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({ source: COINGECKO, url: url + path, headers, schema, refuse: refusalOf })
}

const errorBody = z.object({ error: z.object({ status: z.object({ error_code: z.number() }) }) })

/** Errors in the body, whatever the HTTP status: 10012 history limit, 429 and 1015 rate limit. */
function refusalOf(body: unknown): Refusal | null {
  const parsed = errorBody.safeParse(body)
  if (!parsed.success) return null
  const code = parsed.data.error.status.error_code
  if (code === 10012) return { reason: HISTORY_LIMIT, later: false }
  return { reason: `error ${code}`, later: code === 429 || code === 1015 || (code >= 500 && code < 600) }
}
