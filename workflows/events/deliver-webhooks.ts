import { continueAsNew, proxyActivities, setWorkflowOptions } from '@temporalio/workflow'
import type { EventsActivities } from '../../activities/events/index.ts'
import { hourLongLoop, NEVER_ENDS } from '../policies.ts'

const kept = proxyActivities<EventsActivities>(hourLongLoop)

/** Keeps the delivery of webhooks alive. It never ends: each hour of delivering is a run of its own. */
export async function deliverWebhooks(): Promise<void> {
  await kept.deliverWebhooks()
  await continueAsNew<typeof deliverWebhooks>()
}
setWorkflowOptions(NEVER_ENDS, deliverWebhooks)
