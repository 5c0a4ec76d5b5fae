import { proxyActivities } from '@temporalio/workflow'
import type { ChainActivities, WalletSyncKey } from '../../activities/chain/index.ts'
import { quickCall } from '../policies.ts'

const { markWalletsToVerify } = proxyActivities<ChainActivities>(quickCall)

/** Has the balances of the followed wallets of one request compared with the chain, with the next touched ones. */
export async function verifyWallets({ wallets }: { wallets: readonly WalletSyncKey[] }): Promise<void> {
  await markWalletsToVerify({ wallets })
}
