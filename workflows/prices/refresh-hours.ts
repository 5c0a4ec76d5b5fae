import { proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { bulkLoad, quickCall } from '../policies.ts'

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
  const appended = await appendQuotedHour({ atMs })
  const coinIds = await listLaggingCoins({ resolution: 'hour', untilMs: atMs, limit: MOST_REPAIRS })
  let repaired = 0
  if (coinIds.length > 0) {
    const window = { fromMs: atMs - 7 * DAY_MS, toMs: atMs }
    repaired = (await fillHistory({ resolution: 'hour', coinIds, ...window })).points
  }
  await appendDay({ atMs: Math.floor(atMs / DAY_MS) * DAY_MS })
  await scoreCoins()
  return { appended, repaired }
}
