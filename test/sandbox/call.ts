import { createExchanges } from '../../sandbox/market/exchanges.ts'
import { createMarket } from '../../sandbox/market/market.ts'
import { createStatistics } from '../../sandbox/market/statistics.ts'
import type { Upstream, UpstreamRequest } from '../../sandbox/upstream.ts'

export const day = 86_400
/** A Saturday morning. */
export const now = Date.UTC(2026, 10, 21, 6, 43, 21) / 1000
export const market = createMarket({ seed: 7, anchor: Date.UTC(2026, 10, 21) / 1000 })
const statistics = createStatistics(market)
export const prices = {
  market,
  statistics,
  exchanges: createExchanges({ market, perUsd: statistics.perUsd }),
}

export type Row = Record<string, unknown>

/** The reply of an upstream to a path with query, at `now`. Default: GET */
export async function call(
  upstream: Upstream,
  target: string,
  at = now,
  given: Partial<UpstreamRequest> = {},
): Promise<{ status: number; body: any }> {
  const url = new URL(target, 'http://sandbox')
  const path = url.pathname.split('/').filter(Boolean)
  const request = { method: 'GET', path, target, query: url.searchParams, headers: {}, bodyText: '', now: at }
  return upstream({ ...request, ...given })
}
