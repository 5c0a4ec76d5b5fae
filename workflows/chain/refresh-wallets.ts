import { ParentClosePolicy, proxyActivities, sleep, startChild } from '@temporalio/workflow'
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import type { ChainActivities } from '../../activities/chain/index.ts'
import { quickCall } from '../policies.ts'
import type { syncWallet } from './sync-wallet.ts'

const { listDueWallets } = proxyActivities<ChainActivities>(quickCall)

export interface RefreshWalletsInput {
  /** wallets whose last sync is older are due */
  olderThanSeconds: number
  limit: number
  /** syncs that run at the same time */
  parallel: number
}

/** Starts a sync for each wallet that is due, a few at a time; one that runs already is left alone. */
export async function refreshWallets(input: RefreshWalletsInput): Promise<{ started: number }> {
  const { olderThanSeconds, limit, parallel } = input
  const due = await listDueWallets({ olderThanSeconds, limit })
  let started = 0
  const work = async (): Promise<void> => {
    for (let wallet = due.shift(); wallet; wallet = due.shift()) {
      const { address, networkId } = wallet
      // Syncs of many wallets should not come to the sources in one second.
      await sleep(Math.ceil(Math.random() * 1_000))
      try {
        const child = await startChild<typeof syncWallet>('syncWallet', {
          workflowId: `sync:${address}:${networkId}`,
          args: [{ address, networkId }],
          parentClosePolicy: ParentClosePolicy.ABANDON,
        })
        started++
        // Its failure stands in wallet_syncs; the others go on.
        await child.result().catch(() => undefined)
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return { started }
}
