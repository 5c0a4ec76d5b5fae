import { proxyActivities } from '@temporalio/workflow'
import type { InsightsActivities } from '../../activities/insights/index.ts'
import { sourceCall } from '../policies.ts'

const activities = proxyActivities<InsightsActivities>(sourceCall)

/** Past totals of the market, where the plan of the source has them. Returns rows added. */
export async function backfillTotals(): Promise<number> {
  return activities.backfillTotals()
}
