import { proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { bulkLoad, quickCall } from '../policies.ts'
import { stepsApart } from '../steps-apart.ts'

const { appendQuotedHour, appendDay, listLaggingCoins, scoreCoins } =
  proxyActivities<PricesActivities>(quickCall)
const { fillHistory } = proxyActivities<PricesActivities>(bulkLoad)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Coins whose hours are fetched per run; after an outage, later runs fetch the rest. */
const MOST_REPAIRS = 50

/**
 * Adds the last full hour to the history of each listed coin: from stored quotes, which costs no request, or
 * from the source's charts where quotes are missing.
 */
export async function refreshHours(): Promise<{ appended: number; repaired: number }> {
  const atMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const total = { appended: 0, repaired: 0 }
  await stepsApart({
    async quotes() {
      total.appended = await appendQuotedHour({ atMs })
    },
    async repairs() {
      const coinIds = await listLaggingCoins({ resolution: 'hour', untilMs: atMs, limit: MOST_REPAIRS })
      if (coinIds.length === 0) return
      const window = { fromMs: atMs - 7 * DAY_MS, toMs: atMs }
      total.repaired = (await fillHistory({ resolution: 'hour', coinIds, ...window })).points
    },
    days: () => appendDay({ atMs: Math.floor(atMs / DAY_MS) * DAY_MS }),
    scores: scoreCoins,
  })
  return total
}
