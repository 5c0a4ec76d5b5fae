import { proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { activitiesApart } from '../activities-apart.ts'
import { bulkLoad, quickCall } from '../policies.ts'
import { fillWindows } from './fill-windows.ts'

const { listCoinsWithoutHistory, scoreCoins } = proxyActivities<PricesActivities>(quickCall)
const { describeCoins } = activitiesApart<PricesActivities>('history', bulkLoad)

/** Coins per run; later runs fill the rest. */
const MOST_COINS = 200

/** Fills the history of every coin that has none, however it was stored, and reads its description. */
export async function fillNewCoins(): Promise<{ coins: number; points: number; quarantined: number }> {
  const filled = await fillWindows(({ resolution }) =>
    listCoinsWithoutHistory({ resolution, limit: MOST_COINS }),
  )
  if (filled.coins > 0) {
    await scoreCoins()
    await describeCoins({ limit: MOST_COINS })
  }
  return filled
}
