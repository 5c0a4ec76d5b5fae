import { proxyActivities, sleep } from '@temporalio/workflow'
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
/** At the first start the prices that convert them may take some minutes to come. */
const TRIES = 40
const PAUSE = '5s'

/** The exchanges with their volumes, then the markets of the largest, their hourly prices, then what is missing of the volumes' past. */
export async function refreshTickers(input: {
  exchanges: number
  pages: number
}): Promise<{ exchanges: number; tickers: number; refused: number; closes: number; points: number }> {
  const exchanges = await refreshExchanges()
  const { tickers, refused } = await readTickers(input)
  const closes = await fillPairPrices(CLOSES)
  let volumes = await fillVolumes({ limit: CHARTS })
  for (let tries = 1; volumes.isEarly && tries < TRIES; tries++) {
    await sleep(PAUSE)
    volumes = await fillVolumes({ limit: CHARTS })
  }
  return { exchanges, tickers, refused, closes, points: volumes.points }
}
