import { proxyActivities } from '@temporalio/workflow'
import type { TickersActivities } from '../../activities/tickers/index.ts'
import { bulkLoad, sourceCall } from '../policies.ts'

const { refreshExchanges } = proxyActivities<TickersActivities>(sourceCall)
const {
  refreshTickers: readTickers,
  fillVolumes,
  fillPairPrices,
} = proxyActivities<TickersActivities>(bulkLoad)

/** Exchanges of one run whose past volumes are read. */
const CHARTS = 20
/** Markets whose hourly prices are read, and how far back at first. */
const CLOSES = { pairs: 30, days: 30 }

/** The exchanges with their volumes, then the markets of the largest, their hourly prices, then what is missing of the volumes' past. */
export async function refreshTickers(input: {
  exchanges: number
  pages: number
}): Promise<{ exchanges: number; tickers: number; quarantined: number; closes: number; points: number }> {
  const exchanges = await refreshExchanges()
  const { tickers, quarantined } = await readTickers(input)
  const closes = await fillPairPrices(CLOSES)
  const points = await fillVolumes({ limit: CHARTS })
  return { exchanges, tickers, quarantined, closes, points }
}
