import { continueAsNew, proxyActivities, setWorkflowOptions } from '@temporalio/workflow'
import type { DeriveActivities } from '../../activities/chain/derive/index.ts'
import { FOLLOW_QUEUE } from '../../db/values/task-queues.ts'
import { hourLongLoop, NEVER_ENDS } from '../policies.ts'

const loop = proxyActivities<DeriveActivities>({ ...hourLongLoop, taskQueue: FOLLOW_QUEUE })

/** A day of loops: then the history starts anew. */
const LOOPS = 24

/**
 * Keeps touched wallets derived, under the id `derive-wallets:{lane}`: each loop is one activity of an hour. Ends
 * when the worker is not set to follow any network.
 */
export async function deriveWallets(input: { lane: number; lanes: number }): Promise<void> {
  for (let i = 0; i < LOOPS; i++) if ((await loop.deriveWallets(input)) === 'unset') return
  await continueAsNew<typeof deriveWallets>(input)
}
setWorkflowOptions(NEVER_ENDS, deriveWallets)
