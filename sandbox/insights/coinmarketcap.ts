import { createMood } from './mood.ts'
import { isoMs, numberOf, type Upstream, type UpstreamReply } from '../upstream.ts'

const first = Date.UTC(2023, 5, 29) / 1000

/**
 * Simulates CoinMarketCap's fear and greed index: pages of up to 500 days, newest first. Calls require a key.
 */
export function createCoinMarketCap({ seed }: { seed: number }): Upstream {
  const mood = createMood({ seed, publisher: 'coinmarketcap' })

  return ({ path, query, headers, now }) => {
    const reply = (status: number, code: number, message: string, data?: unknown): UpstreamReply => ({
      status,
      body: {
        ...(data !== undefined && { data }),
        status: {
          timestamp: isoMs(now),
          error_code: status === 200 ? String(code) : code,
          error_message: message,
          elapsed: 3,
          credit_count: status === 200 ? 1 : 0,
        },
      },
    })
    if (!headers['x-cmc_pro_api_key']) return reply(401, 1002, 'API key missing.')
    if (path.join('/') !== 'v3/fear-and-greed/historical') return reply(404, 404, 'Not Found')
    const start = numberOf(query, 'start', { or: 1, max: 1_000_000 })
    const limit = Number(query.get('limit') ?? 50)
    if (start < 1 || !Number.isInteger(limit) || limit < 1 || limit > 500)
      return reply(400, 400, '"limit" must be between 1 and 500')
    const days = mood.days({ now, first, missing: [] }).slice(start - 1, start - 1 + limit)
    const data = days.map((at) => {
      const value = mood.valueOf(at)
      return { timestamp: String(at), value, value_classification: mood.classOf(value) }
    })
    return reply(200, 0, '', data)
  }
}
