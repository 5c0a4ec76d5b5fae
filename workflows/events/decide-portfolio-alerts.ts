import { continueAsNew, proxyActivities, setWorkflowOptions } from '@temporalio/workflow'
import type { EventsActivities } from '../../activities/events/index.ts'
import { hourLongLoop, NEVER_ENDS } from '../policies.ts'

const kept = proxyActivities<EventsActivities>(hourLongLoop)

/** Keeps the decisions on alerts about portfolios alive. It never ends: each hour of them is a run of its own. */
export async function decidePortfolioAlerts(): Promise<void> {
  await kept.decidePortfolioAlerts()
  await continueAsNew<typeof decidePortfolioAlerts>()
}
setWorkflowOptions(NEVER_ENDS, decidePortfolioAlerts)
