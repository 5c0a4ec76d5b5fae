import { continueAsNew, proxyActivities, setWorkflowOptions } from '@temporalio/workflow'
import type { EventsActivities } from '../../activities/events/index.ts'
import { hourLongLoop, NEVER_ENDS } from '../policies.ts'

const kept = proxyActivities<EventsActivities>(hourLongLoop)

/** Keeps the publisher of events alive. It never ends: each hour of publishing is a run of its own. */
export async function publishEvents(): Promise<void> {
  await kept.publishEvents()
  await continueAsNew<typeof publishEvents>()
}
setWorkflowOptions(NEVER_ENDS, publishEvents)
