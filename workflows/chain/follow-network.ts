import { continueAsNew, proxyActivities, setWorkflowOptions, sleep } from '@temporalio/workflow'
import type { FollowActivities } from '../../activities/chain/follow/index.ts'
import { FOLLOW_QUEUE } from '../../db/values/task-queues.ts'
import { hourLongLoop, NEVER_ENDS } from '../policies.ts'

const loop = proxyActivities<FollowActivities>({ ...hourLongLoop, taskQueue: FOLLOW_QUEUE })

/** A day of loops: then the history starts anew. */
const LOOPS = 24
const REFUSED_PAUSE = '10m'

/**
 * Keeps the head of a network followed, under the id `follow:{networkId}`: each loop is one activity of an
 * hour. Ends when the worker is not set to follow the network.
 */
export async function followNetwork(input: { networkId: string }): Promise<void> {
  for (let i = 0; i < LOOPS; i++) {
    const ended = await loop.followHead(input)
    if (ended === 'unset') return
    if (ended === 'off') await sleep(REFUSED_PAUSE)
  }
  await continueAsNew<typeof followNetwork>(input)
}
setWorkflowOptions(NEVER_ENDS, followNetwork)
