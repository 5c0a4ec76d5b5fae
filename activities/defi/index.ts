import { dueDefiWallets, hasProtocols } from '../../db/defi/due-wallets.ts'
import type { DefiWallet } from '../../db/defi/due-wallets.ts'
import { failDefiRead } from '../../db/defi/fail-read.ts'
import type { ActivityDeps, NodeDeps } from '../deps.ts'
import { LONGEST_FAILURE, readWallet } from './read-wallet.ts'
import type { DefiReadResult } from './read-wallet.ts'

export type DefiActivities = ReturnType<typeof createDefiActivities>

/** Reads the DeFi positions of wallets. A later read of a wallet replaces the earlier one. */
export function createDefiActivities(deps: Pick<ActivityDeps, 'pool' | 'now' | 'heartbeat'> & NodeDeps) {
  const { pool, now, nodes, heartbeat } = deps

  /** Stores a failure in `defi_reads` before throwing it. */
  async function readDefiWallet(wallet: DefiWallet): Promise<DefiReadResult> {
    const { walletId, networkId } = wallet
    try {
      const client = await nodes(networkId, 'wallets')
      return await readWallet({ pool, client, now, onProgress: heartbeat }, wallet)
    } catch (error) {
      const failure = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_FAILURE)
      await failDefiRead(pool, { walletId, networkId, source: `rpc:${networkId}`, at: now(), failure })
      throw error
    }
  }

  return {
    readDefiWallet,

    /** The same for a wallet that was never read; does nothing on a network without protocols. */
    async readFirstPositions(wallet: DefiWallet): Promise<void> {
      if (await hasProtocols(pool, wallet.networkId)) await readDefiWallet(wallet)
    },

    async listDueDefiWallets({ olderThanSeconds, limit }: { olderThanSeconds: number; limit: number }) {
      const before = new Date(now().getTime() - olderThanSeconds * 1_000)
      return await dueDefiWallets(pool, { before, limit })
    },
  }
}
