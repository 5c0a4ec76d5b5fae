import { hasProtocols, holdersToSweep, markedWallets } from '../../db/defi/due-wallets.ts'
import type { DefiWallet } from '../../db/defi/due-wallets.ts'
import { type DefiDeps, type DefiReads, readBatches } from './read-batches.ts'

export type DefiActivities = ReturnType<typeof createDefiActivities>

/** Reads the DeFi positions of wallets. A later read of a wallet replaces the earlier one. */
export function createDefiActivities(deps: DefiDeps) {
  const { pool, now } = deps

  return {
    /**
     * Reads the wallets that something happened to, and those with positions whose last read is older than
     * `olderThanSeconds`: up to `limit` of each. What fails is due again later.
     */
    async readDueDefi(input: { olderThanSeconds: number; limit: number }): Promise<DefiReads> {
      const { olderThanSeconds, limit } = input
      const marked = await readBatches(deps, await markedWallets(pool, { limit }))
      const before = new Date(now().getTime() - olderThanSeconds * 1_000)
      const swept = await readBatches(deps, await holdersToSweep(pool, { before, limit }), 'as budgets allow')
      return {
        read: marked.read + swept.read,
        failed: marked.failed + swept.failed,
        unpriced: [...new Set([...marked.unpriced, ...swept.unpriced])],
      }
    },

    /** Reads a wallet that was never read. Throws if that fails; does nothing on a network without protocols. */
    async readFirstPositions(wallet: DefiWallet): Promise<void> {
      if (!(await hasProtocols(pool, wallet.networkId))) return
      const { failures } = await readBatches(deps, [wallet])
      if (failures[0]) throw failures[0]
    },
  }
}
