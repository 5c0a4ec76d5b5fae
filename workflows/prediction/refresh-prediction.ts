import { proxyActivities } from '@temporalio/workflow'
import type { PredictionActivities } from '../../activities/prediction/index.ts'
import type { PageResult } from '../../activities/prediction/load-markets.ts'
import { bulkLoad, quickCall, sourceCall } from '../policies.ts'

const { listMarketLists, listMarketsWithNewTrades, listMarketsWithOldDetail } =
  proxyActivities<PredictionActivities>(quickCall)
const { loadMarketPage, loadPastMarketPage, checkPredictionMarkets } =
  proxyActivities<PredictionActivities>(sourceCall)
const {
  loadMarketTrades,
  loadMarketDetails,
  refreshPredictionTraders,
  matchPredictionMarkets,
  matchPredictionEvents,
  summarisePrediction,
} = proxyActivities<PredictionActivities>(bulkLoad)

/** Limits of one run; the next runs do the rest. */
const MOST_PAGES = 500
const MOST_PAST_PAGES = 50
const MOST_CHECKS = 300
const MOST_MARKETS = 1_000
const BATCH = 25
const TRADERS = 500
const COMPARED = 500
const DETAIL_AGE_MS = 15 * 60_000

export interface PredictionResult {
  markets: number
  trades: number
  traders: number
  /** markets that were compared with those of the other venue */
  compared: number
}

/**
 * Refreshes the markets of a venue with their fills, order books, holders, prices and traders, and matches
 * them with those of the other venue.
 */
export async function refreshPrediction({
  venue,
}: {
  venue: 'polymarket' | 'kalshi'
}): Promise<PredictionResult> {
  const lists = await listMarketLists({ venue })
  const result: PredictionResult = { markets: 0, trades: 0, traders: 0, compared: 0 }
  for (const list of lists.current) {
    let cursor: string | null = null
    for (let page = 0; page < MOST_PAGES; page++) {
      const loaded: PageResult = await loadMarketPage({ venue, list, cursor })
      result.markets += loaded.markets
      cursor = loaded.next
      if (cursor === null) break
    }
  }
  for (const list of lists.past)
    for (let page = 0; page < MOST_PAST_PAGES; page++) {
      const loaded = await loadPastMarketPage({ venue, list })
      result.markets += loaded?.markets ?? 0
      if (!loaded || loaded.next === null) break
    }
  await checkPredictionMarkets({ venue, limit: MOST_CHECKS })
  const active = await listMarketsWithNewTrades({ venue, limit: MOST_MARKETS })
  for (const marketIds of batches(active)) result.trades += (await loadMarketTrades({ marketIds })).trades
  const old = await listMarketsWithOldDetail({
    venue,
    limit: MOST_MARKETS,
    beforeMs: Date.now() - DETAIL_AGE_MS,
  })
  for (const marketIds of batches(old)) await loadMarketDetails({ marketIds })
  // Kalshi does not identify traders.
  let left = venue === 'polymarket'
  while (left) {
    const done = await refreshPredictionTraders({ limit: TRADERS })
    result.traders += done
    left = done === TRADERS
  }
  await summarisePrediction()
  for (let afterId: number | null = 0; afterId !== null;) {
    const { compared, next }: { compared: number; next: number | null } = await matchPredictionMarkets({
      afterId,
      limit: COMPARED,
    })
    result.compared += compared
    afterId = next
  }
  await matchPredictionEvents()
  return result
}

function batches(ids: readonly number[]): number[][] {
  const groups: number[][] = []
  for (let i = 0; i < ids.length; i += BATCH) groups.push(ids.slice(i, i + BATCH))
  return groups
}
