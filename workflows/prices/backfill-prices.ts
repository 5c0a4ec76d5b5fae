import { proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { bulkLoad, quickCall, sourceCall } from '../policies.ts'

const { listLaggingCoins, scoreCoins } = proxyActivities<PricesActivities>(quickCall)
const { refreshListings } = proxyActivities<PricesActivities>(sourceCall)
const { fillHistory, describeCoins } = proxyActivities<PricesActivities>(bulkLoad)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HISTORY_DAYS = 2 * 365
const RECENT_DAYS = 7
/** Coins of one activity: some ten thousand daily points. */
const BATCH = 40
const MOST_COINS = 2_000

/** Fills what is missing of two years of daily and seven days of hourly prices, then what describes the coins. */
export async function backfillPrices(): Promise<{ points: number; refused: number }> {
  const nowMs = Date.now()
  const total = { points: 0, refused: 0 }
  const windows = [
    { resolution: 'day', days: HISTORY_DAYS, toMs: Math.floor(nowMs / DAY_MS) * DAY_MS },
    { resolution: 'hour', days: RECENT_DAYS, toMs: Math.floor(nowMs / HOUR_MS) * HOUR_MS },
  ] as const
  for (const { resolution, days, toMs } of windows) {
    const lagging = await listLaggingCoins({ resolution, untilMs: toMs, limit: MOST_COINS })
    for (let i = 0; i < lagging.length; i += BATCH) {
      const coinIds = lagging.slice(i, i + BATCH)
      const { points, refused } = await fillHistory({
        resolution,
        coinIds,
        fromMs: toMs - days * DAY_MS,
        toMs,
      })
      total.points += points
      total.refused += refused
    }
  }
  await scoreCoins()
  await refreshListings()
  await describeCoins({ limit: MOST_COINS })
  return total
}
