import { proxyActivities } from '@temporalio/workflow'
import type { ChainActivities } from '../../activities/chain/index.ts'
import { quickCall } from '../policies.ts'
import { startSyncs } from './start-syncs.ts'

const { listDueWallets } = proxyActivities<ChainActivities>(quickCall)

export interface RefreshWalletsInput {
  /** wallets with an older last sync are due */
  olderThanSeconds: number
  limit: number
  /** syncs that are started at the same time */
  parallel: number
}

/** Starts a sync for each due wallet, the oldest first, unless one is running already. */
export async function refreshWallets(input: RefreshWalletsInput): Promise<{ started: number }> {
  const { olderThanSeconds, limit, parallel } = input
  const due = await listDueWallets({ olderThanSeconds, limit })
  return { started: await startSyncs(due, parallel) }
}
