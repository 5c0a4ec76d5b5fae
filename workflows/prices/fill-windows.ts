import { batchesOf } from '../../db/values/batches.ts'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { activitiesApart } from '../activities-apart.ts'
import { bulkLoad } from '../policies.ts'

const { fillHistory } = activitiesApart<PricesActivities>('history', bulkLoad)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Each coin has two years of daily and seven days of hourly prices. */
const WINDOWS = [
  { resolution: 'day', days: 2 * 365, stepMs: DAY_MS },
  { resolution: 'hour', days: 7, stepMs: HOUR_MS },
] as const
/** Coins per activity: some ten thousand daily points. */
const BATCH = 40

interface Filled {
  coins: number
  points: number
  quarantined: number
}

/** Fills both windows of the coins that `coinsOf` returns for each window. */
export async function fillWindows(
  coinsOf: (window: { resolution: 'day' | 'hour'; untilMs: number }) => Promise<string[]>,
): Promise<Filled> {
  const nowMs = Date.now()
  const filled = new Set<string>()
  const total = { points: 0, quarantined: 0 }
  for (const { resolution, days, stepMs } of WINDOWS) {
    const toMs = Math.floor(nowMs / stepMs) * stepMs
    const coins = await coinsOf({ resolution, untilMs: toMs })
    for (const coin of coins) filled.add(coin)
    for (const coinIds of batchesOf(coins, BATCH)) {
      const { points, quarantined } = await fillHistory({
        resolution,
        coinIds,
        toMs,
        fromMs: toMs - days * DAY_MS,
      })
      total.points += points
      total.quarantined += quarantined
    }
  }
  return { coins: filled.size, ...total }
}
