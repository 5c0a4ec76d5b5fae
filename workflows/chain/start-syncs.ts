import { ParentClosePolicy, patched, sleep, startChild } from '@temporalio/workflow'
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import type { WalletSyncKey } from '../../activities/chain/index.ts'
import { childAttributes } from '../child-attributes.ts'
import type { syncWallet } from './sync-wallet.ts'

/**
 * Starts syncs of wallets, `parallel` at a time, unless one is running already. Returns how many it started. Nobody
 * waits for their ends: the places of the task queues decide how many run, with each worker more.
 */
export async function startSyncs(wallets: readonly WalletSyncKey[], parallel: number): Promise<number> {
  const due = [...wallets]
  let started = 0
  // Runs that began before 28 November 2026 waited.
  const waits = !patched('syncs-run-on-their-own')
  const work = async (): Promise<void> => {
    for (let wallet = due.shift(); wallet; wallet = due.shift()) {
      const { address, networkId } = wallet
      // Spreads the syncs, so that many do not reach the sources in the same second.
      await sleep(Math.ceil(Math.random() * 1_000))
      try {
        const child = await startChild<typeof syncWallet>('syncWallet', {
          workflowId: `sync:${address}:${networkId}`,
          args: [{ address, networkId }],
          typedSearchAttributes: childAttributes({ wallet: address, network: networkId }),
          parentClosePolicy: ParentClosePolicy.ABANDON,
        })
        started++
        // The child records its failure in wallet_syncs; the other syncs continue.
        if (waits) await child.result().catch(() => undefined)
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return started
}
