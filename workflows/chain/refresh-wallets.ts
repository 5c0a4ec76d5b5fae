import { ParentClosePolicy, proxyActivities, sleep, startChild } from '@temporalio/workflow'
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import type { ChainActivities } from '../../activities/chain/index.ts'
import { quickCall } from '../policies.ts'
import type { syncWallet } from './sync-wallet.ts'

const { listDueWallets } = proxyActivities<ChainActivities>(quickCall)

export interface RefreshWalletsInput {
  /** wallets with an older last sync are due */
  olderThanSeconds: number
  limit: number
  /** number of concurrent syncs */
  parallel: number
}

/** Starts a sync for each due wallet, a few at a time, unless one is running already. */
export async function refreshWallets(input: RefreshWalletsInput): Promise<{ started: number }> {
  const { olderThanSeconds, limit, parallel } = input
  const due = await listDueWallets({ olderThanSeconds, limit })
  let started = 0
  const work = async (): Promise<void> => {
    for (let wallet = due.shift(); wallet; wallet = due.shift()) {
      const { address, networkId } = wallet
      // Spreads the syncs, so that many do not reach the sources in the same second.
      await sleep(Math.ceil(Math.random() * 1_000))
      try {
        const child = await startChild<typeof syncWallet>('syncWallet', {
          workflowId: `sync:${address}:${networkId}`,
          args: [{ address, networkId }],
          parentClosePolicy: ParentClosePolicy.ABANDON,
        })
        started++
        // The child records its failure in wallet_syncs; the other syncs continue.
        await child.result().catch(() => undefined)
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return { started }
}
