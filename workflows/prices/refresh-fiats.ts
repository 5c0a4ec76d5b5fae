import { proxyActivities } from '@temporalio/workflow'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { sourceCall } from '../policies.ts'

const activities = proxyActivities<PricesActivities>(sourceCall)

/** New reference rates of the currencies. Returns rows new or changed. */
export async function refreshFiats(): Promise<number> {
  return activities.refreshFiats()
}
