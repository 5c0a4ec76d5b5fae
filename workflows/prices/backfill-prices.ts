import { proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { activitiesApart } from '../activities-apart.ts'
import { bulkLoad, quickCall } from '../policies.ts'
import { stepsApart } from '../steps-apart.ts'
import { fillWindows } from './fill-windows.ts'

const { listLaggingCoins, scoreCoins } = proxyActivities<PricesActivities>(quickCall)
const { describeCoins } = activitiesApart<PricesActivities>('history', bulkLoad)

const MOST_COINS = 2_000

/** Fills missing prices of the listed coins, updates their scores, then reads missing descriptions. */
export async function backfillPrices(): Promise<{ points: number; quarantined: number }> {
  const total = { points: 0, quarantined: 0 }
  await stepsApart({
    async histories() {
      const { points, quarantined } = await fillWindows((window) =>
        listLaggingCoins({ ...window, limit: MOST_COINS }),
      )
      Object.assign(total, { points, quarantined })
    },
    scores: scoreCoins,
    descriptions: () => describeCoins({ limit: MOST_COINS }),
  })
  return total
}
