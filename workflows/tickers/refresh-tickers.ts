import { proxyActivities, sleep } from '@temporalio/workflow'
import type { TickersActivities } from '../../activities/tickers/index.ts'
import { bulkLoad, sourceCall } from '../policies.ts'

const { refreshExchanges } = proxyActivities<TickersActivities>(sourceCall)
const { refreshTickers: readTickers, fillVolumes } = proxyActivities<TickersActivities>(bulkLoad)

/** Exchanges of one run whose past volumes are read. */
const CHARTS = 20
/** At the first start the prices that convert them may take some minutes to come. */
const TRIES = 40
const PAUSE = '5s'

/** The exchanges with their volumes, then the markets of the largest, then what is missing of the volumes' past. */
export async function refreshTickers(input: {
  exchanges: number
  pages: number
}): Promise<{ exchanges: number; tickers: number; refused: number; points: number }> {
  const exchanges = await refreshExchanges()
  const { tickers, refused } = await readTickers(input)
  let volumes = await fillVolumes({ limit: CHARTS })
  for (let tries = 1; volumes.isEarly && tries < TRIES; tries++) {
    await sleep(PAUSE)
    volumes = await fillVolumes({ limit: CHARTS })
  }
  return { exchanges, tickers, refused, points: volumes.points }
}
