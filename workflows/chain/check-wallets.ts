import { proxyActivities } from '@temporalio/workflow'
import type { CheckInput } from '../../activities/chain/check-wallets.ts'
import type { ChainActivities } from '../../activities/chain/index.ts'
import { bulkLoad } from '../policies.ts'
import { startSyncs } from './start-syncs.ts'

const activities = proxyActivities<ChainActivities>(bulkLoad)

export interface CheckWalletsInput extends CheckInput {
  /** syncs that are started at the same time */
  parallel: number
}

/** Checks the accounts of idle wallets many at a time, and syncs only the wallets that changed. */
export async function checkWallets({
  parallel,
  ...input
}: CheckWalletsInput): Promise<{ accounts: number; started: number }> {
  const { accounts, changed } = await activities.checkWallets(input)
  return { accounts, started: await startSyncs(changed, parallel) }
}
