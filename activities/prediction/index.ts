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
import { checkMarkets, loadPage, loadPastPage } from './load-markets.ts'
import { loadTrades } from './load-trades.ts'
import { createPredictionSources } from './prediction-sources.ts'
import { refreshTraders } from './refresh-traders.ts'
import { createVenues, type VenueLists } from './venues.ts'

type VenueInput = { venue: PredictionVenue; limit: number }

/** Source of rows that are computed from other rows. */
const COMPUTED = 'computed'

export function createPredictionActivities(deps: ActivityDeps) {
  const sources = createPredictionSources(deps)
  const venues = createVenues(sources)
  return {
    /** Names of a venue's lists. null: the operator has not turned it on */
    async listMarketLists({ venue }: { venue: PredictionVenue }): Promise<VenueLists | null> {
      const { lists, sources: of } = venues[venue]
      return deps.config.sources[of.markets] ? lists : null
    },
    loadMarketPage: (input: { venue: PredictionVenue; list: string; cursor: string | null }) =>
      loadPage(deps, venues, input),
    loadPastMarketPage: (input: { venue: PredictionVenue; list: string }) =>
      loadPastPage(deps, venues, input),
    checkPredictionMarkets: (input: VenueInput) => checkMarkets(deps, venues, input),

    listMarketsWithNewTrades: ({ venue, limit }: VenueInput) =>
      readMarketsWithNewTrades(deps.db, { venues: [venue], now: deps.now(), limit }),
    loadMarketTrades: (input: { marketIds: number[] }) => loadTrades(deps, { sources, venues }, input),
    listMarketsWithOldDetail: ({ venue, limit, beforeMs }: VenueInput & { beforeMs: number }) =>
      readMarketsWithOldDetail(deps.db, {
        venues: [venue],
        now: deps.now(),
        before: new Date(beforeMs),
        limit,
      }),
    loadMarketDetails: (input: { marketIds: number[] }) => loadDetails(deps, venues, input),

    /** Recomputes the positions of traders with new fills. Returns the number of traders. */
    refreshPredictionTraders: (input: { limit: number }) => refreshTraders(deps, input),
    /** Compares markets with new texts and an id above `afterId` with those of the other venues. */
    matchPredictionMarkets: (input: { afterId: number; limit: number }) => matchMarkets(deps, input),
    /** Matches events by their matching markets. Returns the number of pairs. */
    matchPredictionEvents: () => matchEvents(deps),

    /** Refreshes price changes, sums, counts and leaderboards. Returns the number of leaderboard rows. */
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
