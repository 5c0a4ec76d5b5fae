import { proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { bulkLoad, quickCall } from '../policies.ts'
import { fillWindows } from './fill-windows.ts'

const { listCoinsWithoutHistory, scoreCoins } = proxyActivities<PricesActivities>(quickCall)
const { describeCoins } = proxyActivities<PricesActivities>(bulkLoad)

/** Coins of one run: the rest follows in the next ones. */
const MOST_COINS = 200

/** Gives coins that have no history theirs, whoever stored them, and what describes them. */
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
