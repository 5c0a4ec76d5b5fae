import { proxyActivities } from '@temporalio/workflow'
import type { InsightsActivities } from '../../activities/insights/index.ts'
import { sourceCall } from '../policies.ts'

const { refreshFearGreed } = proxyActivities<InsightsActivities>(sourceCall)

/**
 * Reads new days of the fear and greed index, or all the first time. Returns the number of new or changed
 * days.
 */
export async function refreshInsights(): Promise<number> {
  return (await refreshFearGreed()).changed
}
