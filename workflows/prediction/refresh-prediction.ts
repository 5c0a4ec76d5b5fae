import { patched, proxyActivities } from '@temporalio/workflow'
import { batchesOf } from '../../db/values/batches.ts'
import type { PredictionActivities } from '../../activities/prediction/index.ts'
import type { PageResult } from '../../activities/prediction/load-markets.ts'
import type { VenueLists } from '../../activities/prediction/venues.ts'
import { PREDICTION_PACE } from '../../db/values/prediction-pace.ts'
import type { PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { bulkLoad, quickCall, sourceCall, twice } from '../policies.ts'
import { stepsApart } from '../steps-apart.ts'

const { listMarketLists, listMarketsWithNewTrades, listMarketsWithOldDetail } =
  proxyActivities<PredictionActivities>(quickCall)
const { loadMarketPage, loadPastMarketPage, checkPredictionMarkets } = proxyActivities<PredictionActivities>(
  twice(sourceCall),
)
const { loadMarketTrades, loadMarketDetails, refreshPredictionTraders } =
  proxyActivities<PredictionActivities>(twice(bulkLoad))
const { matchPredictionMarkets, matchPredictionEvents, summarisePrediction } =
  proxyActivities<PredictionActivities>(bulkLoad)

/** Limits of one run; the next runs do the rest. */
const MOST_PAGES = 500
const MOST_PAST_PAGES = 50
const TRADERS = 500
const COMPARED = 500

type Venue = (typeof PREDICTION_VENUES)[number]

export interface PredictionResult {
  markets: number
  trades: number
  traders: number
  /** markets that were compared with those of the other venues */
  compared: number
}

/**
 * Refreshes the markets of a venue with their fills, order books, holders, prices and traders, and matches
 * them with those of the other venues. A venue that is off has nothing to do.
 */
export async function refreshPrediction({ venue }: { venue: Venue }): Promise<PredictionResult> {
  const result: PredictionResult = { markets: 0, trades: 0, traders: 0, compared: 0 }
  const lists = await listMarketLists({ venue })
  if (lists === null) return result
  const pricesFirst = patched('traders-after-details')
  const traders = async () => void (result.traders = await recomputeTraders(venue))
  // A venue has several services, such as one for markets and one for trades.
  await stepsApart({
    async markets() {
      result.markets = await loadMarkets(venue, lists)
    },
    async checks() {
      await checkPredictionMarkets({ venue, limit: PREDICTION_PACE.checks.perRun })
    },
    async trades() {
      const active = await listMarketsWithNewTrades({ venue, limit: PREDICTION_PACE.trades.perRun })
      for (const marketIds of batchesOf(active, PREDICTION_PACE.batch))
        result.trades += (await loadMarketTrades({ marketIds })).trades
      if (!pricesFirst) await traders()
    },
    async details() {
      const { seconds, perRun } = PREDICTION_PACE.details
      const beforeMs = Date.now() - seconds * 1_000
      const old = await listMarketsWithOldDetail({ venue, limit: perRun, beforeMs })
      for (const marketIds of batchesOf(old, PREDICTION_PACE.batch)) await loadMarketDetails({ marketIds })
    },
    // Past days of traders are worth what the prices of details say.
    ...(pricesFirst && { traders }),
    summaries: summarisePrediction,
    async matches() {
      for (let afterId: number | null = 0; afterId !== null;) {
        const { compared, next }: { compared: number; next: number | null } = await matchPredictionMarkets({
          afterId,
          limit: COMPARED,
        })
        result.compared += compared
        afterId = next
      }
      await matchPredictionEvents()
    },
  })
  return result
}

/** Returns how many markets the lists have. */
async function loadMarkets(venue: Venue, lists: VenueLists): Promise<number> {
  let markets = 0
  for (const list of lists.current) {
    let cursor: string | null = null
    for (let page = 0; page < MOST_PAGES; page++) {
      const loaded: PageResult = await loadMarketPage({ venue, list, cursor })
      markets += loaded.markets
      cursor = loaded.next
      if (cursor === null) break
    }
  }
  for (const list of lists.past)
    for (let page = 0; page < MOST_PAST_PAGES; page++) {
      const loaded = await loadPastMarketPage({ venue, list })
      markets += loaded?.markets ?? 0
      if (!loaded || loaded.next === null) break
    }
  return markets
}

/** Returns how many traders had new fills, resolutions or prices. Other venues do not identify traders. */
async function recomputeTraders(venue: Venue): Promise<number> {
  let traders = 0
  for (let isMore = venue === 'polymarket'; isMore;) {
    const done = await refreshPredictionTraders({ limit: TRADERS })
    traders += done
    isMore = done === TRADERS
  }
  return traders
}
