import { proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { sourceCall } from '../policies.ts'

const activities = proxyActivities<PricesActivities>(sourceCall)

/** Refreshes the reference rates of currencies. Returns the number of new or changed rows. */
export async function refreshFiats(): Promise<number> {
  return activities.refreshFiats()
}
