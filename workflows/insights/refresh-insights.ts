import { proxyActivities } from '@temporalio/workflow'
import type { InsightsActivities } from '../../activities/insights/index.ts'
import { sourceCall } from '../policies.ts'

const { refreshFearGreed } = proxyActivities<InsightsActivities>(sourceCall)

/** New days of the fear and greed index, all of them at first. Returns days new or changed. */
export async function refreshInsights(): Promise<number> {
  return (await refreshFearGreed()).changed
}
