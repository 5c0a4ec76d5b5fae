import { continueAsNew, proxyActivities, setWorkflowOptions } from '@temporalio/workflow'
import type { PnlActivities } from '../../activities/pnl/index.ts'
import { hourLongLoop, NEVER_ENDS } from '../policies.ts'

const kept = proxyActivities<PnlActivities>(hourLongLoop)

/** Keeps P&L computed for what followers bring. It never ends: each hour of computing is a run of its own. */
export async function computeChangedPnl(): Promise<void> {
  await kept.computeChangedPnl()
  await continueAsNew<typeof computeChangedPnl>()
}
setWorkflowOptions(NEVER_ENDS, computeChangedPnl)
