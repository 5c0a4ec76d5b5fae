import type { z } from 'zod'
import { NotInPlan } from './errors.ts'
import type { HttpClient } from './http-client.ts'

export const COINPAPRIKA = 'coinpaprika'

/** How a key is sent: as the newer of the vendor's pages says, and as the older ones do. */
const SCHEMES = ['Bearer ', ''] as const

/**
 * GET for CoinPaprika's API v1. Adapters of every area use it. 402 means that the allowance is spent or that the
 * plan does not have what was asked for (NotInPlan).
 */
export function createCoinPaprikaGet({
  http,
  url,
  key,
}: {
  http: HttpClient
  url: string
  key: string | null
}) {
  let scheme: (typeof SCHEMES)[number] = SCHEMES[0]

  return async <T>(path: string, schema: z.ZodType<T>): Promise<T> => {
    const ask = () => {
      const headers: Record<string, string> = key === null ? {} : { authorization: scheme + key }
      const operation = path.replace(/^(\/tickers)\/[^/?]+/, '$1/*')
      return http.fetchJson({ source: COINPAPRIKA, url: url + path, headers, schema, operation })
    }
    try {
      return await ask()
    } catch (error) {
      const isOfKey = error instanceof NotInPlan && /status 40[13]/.test(error.message)
      if (key === null || !isOfKey || scheme === SCHEMES[1]) throw error
      scheme = SCHEMES[1]
      return ask()
    }
  }
}
