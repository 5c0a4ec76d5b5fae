import { batchesOf } from '../../db/values/batches.ts'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { activitiesApart } from '../activities-apart.ts'
import { bulkLoad } from '../policies.ts'

const { fillHistory } = activitiesApart<PricesActivities>('history', bulkLoad)

/** Coins per activity. */
const BATCH = 40

export interface FillPriceHistoryInput {
  resolution: 'day' | 'hour'
  coinIds: readonly string[]
  fromMs: number
  toMs: number
}

/** Fills missing prices in a range that an operator chose. */
export async function fillPriceHistory(
  input: FillPriceHistoryInput,
): Promise<{ points: number; quarantined: number }> {
  const { coinIds: all, ...window } = input
  const total = { points: 0, quarantined: 0 }
  for (const coinIds of batchesOf(all, BATCH)) {
    const { points, quarantined } = await fillHistory({ ...window, coinIds })
    total.points += points
    total.quarantined += quarantined
  }
  return total
}
