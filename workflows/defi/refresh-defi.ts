import { proxyActivities } from '@temporalio/workflow'
import type { DefiActivities } from '../../activities/defi/index.ts'
import { quickCall, sourceCall } from '../policies.ts'

const { listDueDefiWallets } = proxyActivities<DefiActivities>(quickCall)
const { readDefiWallet } = proxyActivities<DefiActivities>({
  ...sourceCall,
  // A wallet that fails is due again at the next run, so that a node that is away does not hold up the other networks.
  retry: { ...sourceCall.retry, maximumAttempts: 3 },
})

export interface RefreshDefiInput {
  /** wallets whose last read is older are due, and those that were synced since */
  olderThanSeconds: number
  limit: number
  /** wallets that are read at the same time */
  parallel: number
}

/** Reads the positions of each wallet that is due, a few at a time. */
export async function refreshDefi(input: RefreshDefiInput): Promise<{ read: number; failed: number }> {
  const { olderThanSeconds, limit, parallel } = input
  const due = await listDueDefiWallets({ olderThanSeconds, limit })
  const counts = { read: 0, failed: 0 }
  const work = async (): Promise<void> => {
    for (let wallet = due.shift(); wallet; wallet = due.shift()) {
      try {
        await readDefiWallet(wallet)
        counts.read++
      } catch {
        counts.failed++
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return counts
}
