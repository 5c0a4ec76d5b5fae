import { proxyActivities } from '@temporalio/workflow'
import type { InsightsActivities } from '../../activities/insights/index.ts'
import { sourceCall } from '../policies.ts'

const activities = proxyActivities<InsightsActivities>(sourceCall)

/** Adds past market totals if the plan of the source has them. Returns the number of rows added. */
export async function backfillTotals(): Promise<number> {
  return activities.backfillTotals()
}
