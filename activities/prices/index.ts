import { readCoinsWithoutHistory, readContracts, readLaggingCoins } from '../../db/prices/read-for-ingest.ts'
import { scoreCoins } from '../../db/prices/score-coins.ts'
import { appendDay, appendQuotedHour, type Resolution } from '../../db/prices/write.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { fillHistory, type HistoryRequest } from './fill-history.ts'
import { createHistoryClaims } from './history-claims.ts'
import { createPriceSources } from './price-sources.ts'
import { refreshFiats } from './refresh-fiats.ts'
import { describeCoins, refreshListings } from './refresh-listings.ts'
import { refreshQuotes } from './refresh-quotes.ts'
import { refreshTotals } from './refresh-totals.ts'
import { makeCoins, refreshTokens } from './token-prices.ts'
import { DEFILLAMA } from './sources/defillama.ts'

interface Filled {
  /** new or changed points */
  points: number
  /** coins that every source refused */
  quarantined: number
}

/** Temporal carries instants and windows as Unix milliseconds. */
export function createPricesActivities(deps: ActivityDeps) {
  const sources = createPriceSources(deps)
  const onProgress = deps.heartbeat
  const context = { sources, onProgress, claims: createHistoryClaims() }

  return {
    refreshQuotes: () => refreshQuotes(deps, sources),
    refreshTotals: () => refreshTotals(deps, sources),
    refreshListings: () => refreshListings(deps, sources),
    describeCoins: (input: { limit: number }) => describeCoins(deps, sources, input),
    /** Computes the risk scores of all coins from stored data. Returns how many coins have scores. */
    scoreCoins: () => scoreCoins(deps.db, { now: deps.now() }),
    refreshFiats: (input?: { afresh?: boolean }) => refreshFiats(deps, sources, input),
    /** Refreshes the quotes of tokens that are priced by contract. */
    refreshTokenQuotes: async () => refreshTokens(deps, sources, await readContracts(deps.db, DEFILLAMA)),

    /** Listed coins whose history ends before an instant: held coins first, then by rank. */
    listLaggingCoins: (input: { resolution: Resolution; untilMs: number; limit: number }) =>
      readLaggingCoins(deps.db, { ...input, until: new Date(input.untilMs) }),
    /** Listed coins without any history, except those that their source refused in the last day. */
    listCoinsWithoutHistory: (input: { resolution: Resolution; limit: number }) =>
      readCoinsWithoutHistory(deps.db, {
        ...input,
        quarantinedSince: new Date(deps.now().getTime() - DAY_MS),
      }),
    /** Coins whose sources are unavailable wait for the next run. Throws if that is true of all. */
    fillHistory: async (input: HistoryRequest): Promise<Filled> => {
      const { unavailable, ...filled } = await fillHistory(deps, context, input)
      const [reason] = unavailable
      if (reason && unavailable.length >= input.coinIds.length) throw reason
      if (reason)
        deps.log.warn(
          { coins: unavailable.length, reason: reason.message },
          'histories wait for the next run',
        )
      return filled
    },
    /**
     * Fills the hourly prices of coins over a window (ISO 8601) so that transactions in it can be valued. A
     * token that is no coin yet becomes one if DefiLlama has a price for its contract.
     */
    ensureHourlyPrices: async (input: { coinIds: string[]; from: string; to: string }): Promise<Filled> => {
      const { coinIds } = input
      await makeCoins(deps, sources, coinIds)
      const window = { fromMs: Date.parse(input.from), toMs: Date.parse(input.to) }
      const { unavailable, ...filled } = await fillHistory(deps, context, {
        resolution: 'hour',
        coinIds,
        ...window,
      })
      if (unavailable[0]) throw unavailable[0]
      return filled
    },
    appendQuotedHour: (input: { atMs: number }) =>
      transact(deps.pool, (transaction) =>
        appendQuotedHour(transaction, { at: new Date(input.atMs), fetchedAt: deps.now() }),
      ),
    appendDay: (input: { atMs: number }) =>
      transact(deps.pool, (transaction) =>
        appendDay(transaction, { at: new Date(input.atMs), fetchedAt: deps.now() }),
      ),
  }
}

export type PricesActivities = ReturnType<typeof createPricesActivities>
