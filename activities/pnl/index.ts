import { heartbeat } from '@temporalio/activity'
import { duePnl } from '../../db/pnl/due-states.ts'
import { startOfPeriod } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { recomputeWallet } from './recompute-wallet.ts'

export interface WalletPnlKey {
  walletId: string
  networkId: string
}

export type PnlActivities = ReturnType<typeof createPnlActivities>

/** P&L of wallets. Doing either again changes nothing. */
export function createPnlActivities(deps: Pick<ActivityDeps, 'db' | 'pool' | 'now'>) {
  const { db, pool, now } = deps
  return {
    async recomputeWalletPnl({ walletId, networkId }: WalletPnlKey) {
      const nowMs = now().getTime()
      return await recomputeWallet({
        pool,
        walletId,
        networkId,
        nowMs,
        onProgress: (dayMs) => heartbeat(dayMs),
      })
    },

    async listDuePnl({ limit }: { limit: number }): Promise<WalletPnlKey[]> {
      return await duePnl({ db, midnight: new Date(startOfPeriod('daily', now().getTime())), limit })
    },
  }
}
