import { createMarket } from '../../sandbox/market/market.ts'
import { createStatistics } from '../../sandbox/market/statistics.ts'
import type { Upstream } from '../../sandbox/upstreams/upstream.ts'

export const day = 86_400
/** A Saturday, some hours into the day. */
export const now = Date.UTC(2026, 10, 21, 6, 43, 21) / 1000
export const market = createMarket({ seed: 7, anchor: Date.UTC(2026, 10, 21) / 1000 })
export const prices = { market, statistics: createStatistics(market) }

export type Row = Record<string, unknown>

/** The reply of an upstream to a path with its query, at `now`. */
export async function call(
  upstream: Upstream,
  pathAndQuery: string,
  at = now,
): Promise<{ status: number; body: any }> {
  const url = new URL(pathAndQuery, 'http://sandbox')
  return upstream({ path: url.pathname.split('/').filter(Boolean), query: url.searchParams, now: at })
}
