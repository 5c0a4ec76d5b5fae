import { proxyActivities } from '@temporalio/workflow'
import type { TickersActivities } from '../../activities/tickers/index.ts'
import { bulkLoad, sourceCall } from '../policies.ts'
import { stepsApart } from '../steps-apart.ts'

const { refreshExchanges } = proxyActivities<TickersActivities>(sourceCall)
const {
  refreshTickers: readTickers,
  fillVolumes,
  fillPairPrices,
} = proxyActivities<TickersActivities>(bulkLoad)

/** Exchanges per run whose past volumes are read. */
const CHARTS = 20
/** Number of markets whose hourly prices are read, and the days read the first time. */
const CLOSES = { pairs: 30, days: 30 }

/**
 * Refreshes exchanges and volumes, the markets of the largest ones, their hourly prices, and missing past
 * volumes.
 */
export async function refreshTickers(input: {
  exchanges: number
  pages: number
}): Promise<{ exchanges: number; tickers: number; quarantined: number; closes: number; points: number }> {
  const total = { exchanges: 0, tickers: 0, quarantined: 0, closes: 0, points: 0 }
  await stepsApart({
    async exchanges() {
      total.exchanges = await refreshExchanges()
    },
    async markets() {
      Object.assign(total, await readTickers(input))
    },
    async closes() {
      total.closes = await fillPairPrices(CLOSES)
    },
    async volumes() {
      total.points = await fillVolumes({ limit: CHARTS })
    },
  })
  return total
}
