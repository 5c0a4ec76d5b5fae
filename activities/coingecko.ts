import { z } from 'zod'
import type { HttpClient, Refusal } from './http-client.ts'

export const COINGECKO = 'coingecko'
/** Ends the error message when the plan does not cover the requested history. */
export const HISTORY_LIMIT = 'history limit (10012)'

/** Paths that begin with an id, such as `/coins/bitcoin`. */
const OF_ID = /^(\/(?:coins|exchanges|nfts))\/(?!markets|list)[^/?]+/

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
  return <T>(path: string, schema: z.ZodType<T>): Promise<T> => {
    const operation = path.replace(OF_ID, '$1/*')
    return http.fetchJson({
      source: COINGECKO,
      url: url + path,
      headers,
      schema,
      operation,
      refuse: refusalOf,
    })
  }
}

const code = z.coerce.number()
const message = z.string().nullish()
const status = z.object({ error_code: code, error_message: message })
/** Its three shapes of errors. */
const errorBody = z.union([
  z.object({ error: z.object({ status }) }).transform(({ error }) => error.status),
  z
    .object({ error_code: code, status: z.object({ error_message: message }) })
    .transform((body) => ({ error_code: body.error_code, error_message: body.status.error_message })),
  z.object({ status }).transform((body) => body.status),
])

/** Missing key, plan, Pro key on the host of Demo keys, the other way round. */
const OF_PLAN = new Set([10002, 10005, 10010, 10011])
/** Rate limit; rate limit and rules of the network before it. */
const LATER = new Set([429, 1015, 1020])

/** Errors in the body, whatever the HTTP status: 10012 comes with 401, but is no matter of the key. */
function refusalOf(body: unknown): Refusal | null {
  const parsed = errorBody.safeParse(body)
  if (!parsed.success) return null
  const { error_code: number, error_message: text } = parsed.data
  // 10012 is also the code of too many contracts in one question.
  if (number === 10012 && /time range|historical/i.test(text ?? 'time range'))
    return { reason: HISTORY_LIMIT, later: false, plan: true }
  const reason = `error ${number}`
  return { reason, later: LATER.has(number) || (number >= 500 && number < 600), plan: OF_PLAN.has(number) }
}
