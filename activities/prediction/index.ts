import { lockSummary } from '../../db/prediction/locks.ts'
import { readMarketsWithNewTrades, readMarketsWithOldDetail } from '../../db/prediction/read-for-ingest.ts'
import type { PredictionVenue } from '../../db/prediction/tables.ts'
import { replaceLeaders } from '../../db/prediction/write-leaders.ts'
import { refreshSummary } from '../../db/prediction/write-summary.ts'
import { markOpenPositions } from '../../db/prediction/write-traders.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { loadDetails } from './load-details.ts'
import { matchEvents } from './match-events.ts'
import { matchMarkets } from './match-markets.ts'
import { checkMarkets, LISTS, loadPage, loadPastPage } from './load-markets.ts'
import { loadTrades } from './load-trades.ts'
import { createPredictionSources } from './prediction-sources.ts'
import { refreshTraders } from './refresh-traders.ts'

type VenueInput = { venue: PredictionVenue; limit: number }

/** Rows that are made from others name what they are made from. */
const COMPUTED = 'computed'

export function createPredictionActivities(deps: ActivityDeps) {
  const sources = createPredictionSources(deps)
  return {
    /** Names of a venue's lists: `current` is read every time, `past` once. */
    listMarketLists: async ({ venue }: { venue: PredictionVenue }) => LISTS[venue],
    loadMarketPage: (input: { venue: PredictionVenue; list: string; cursor: string | null }) =>
      loadPage(deps, sources, input),
    loadPastMarketPage: (input: { venue: PredictionVenue; list: string }) =>
      loadPastPage(deps, sources, input),
    checkPredictionMarkets: (input: VenueInput) => checkMarkets(deps, sources, input),

    listMarketsWithNewTrades: ({ venue, limit }: VenueInput) =>
      readMarketsWithNewTrades(deps.db, { venues: [venue], limit }),
    loadMarketTrades: (input: { marketIds: number[] }) => loadTrades(deps, sources, input),
    listMarketsWithOldDetail: ({ venue, limit, beforeMs }: VenueInput & { beforeMs: number }) =>
      readMarketsWithOldDetail(deps.db, { venues: [venue], limit, before: new Date(beforeMs) }),
    loadMarketDetails: (input: { marketIds: number[] }) => loadDetails(deps, sources, input),

    /** Positions of some traders with new fills. Returns how many there were. */
    refreshPredictionTraders: (input: { limit: number }) => refreshTraders(deps, input),
    /** Compares some markets after an id whose words are new with those of the other venue. */
    matchPredictionMarkets: (input: { afterId: number; limit: number }) => matchMarkets(deps, input),
    /** Events by the markets that they have in common. Returns how many pairs there are. */
    matchPredictionEvents: () => matchEvents(deps),

    /** Price changes, sums, counts and leaderboards. Returns the places on the leaderboards. */
    summarisePrediction: () =>
      transact(deps.pool, async (transaction) => {
        const stamp = { now: deps.now(), source: COMPUTED }
        await lockSummary(transaction)
        await refreshSummary(transaction, stamp)
        await markOpenPositions(transaction, stamp)
        return replaceLeaders(transaction, stamp)
      }),
  }
}

export type PredictionActivities = ReturnType<typeof createPredictionActivities>
