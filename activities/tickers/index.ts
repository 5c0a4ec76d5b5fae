import type { ActivityDeps } from '../deps.ts'
import { fillPairPrices } from './fill-pair-prices.ts'
import { fillVolumes } from './fill-volumes.ts'
import { refreshExchanges } from './refresh-exchanges.ts'
import { refreshTickers } from './refresh-tickers.ts'
import { createTickerSources } from './ticker-sources.ts'

export function createTickersActivities(deps: ActivityDeps) {
  const sources = createTickerSources(deps)
  return {
    refreshExchanges: () => refreshExchanges(deps, sources),
    fillVolumes: (input: { limit: number }) => fillVolumes(deps, sources, input),
    fillPairPrices: (input: { pairs: number; days: number }) => fillPairPrices(deps, sources, input),
    refreshTickers: (input: { exchanges: number; pages: number }) => refreshTickers(deps, sources, input),
  }
}

export type TickersActivities = ReturnType<typeof createTickersActivities>
