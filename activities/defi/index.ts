import { dueDefiWallets, hasProtocols } from '../../db/defi/due-wallets.ts'
import type { DefiWallet } from '../../db/defi/due-wallets.ts'
import { failDefiRead } from '../../db/defi/fail-read.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import { createRpcClient } from '../rpc-client.ts'
import type { RpcClient } from '../rpc-client.ts'
import { LONGEST_FAILURE, readWallet } from './read-wallet.ts'
import type { DefiReadResult } from './read-wallet.ts'

export type DefiActivities = ReturnType<typeof createDefiActivities>

/** Reads the DeFi positions of wallets. A later read of a wallet replaces the earlier one. */
export function createDefiActivities(deps: Pick<ActivityDeps, 'pool' | 'now' | 'config' | 'heartbeat'>) {
  const { pool, now, config, heartbeat } = deps
  const clients = new Map<string, RpcClient>()

  function clientOf(networkId: string): RpcClient {
    const known = clients.get(networkId)
    if (known) return known
    const source = `rpc:${networkId}`
    const url = config.rpcUrls[networkId]
    if (url === undefined) throw new SourceRejected(source, 'the network is off')
    const client = createRpcClient({ url, source })
    clients.set(networkId, client)
    return client
  }

  /** Stores a failure in `defi_reads` before throwing it. */
  async function readDefiWallet(wallet: DefiWallet): Promise<DefiReadResult> {
    const { walletId, networkId } = wallet
    try {
      const client = clientOf(networkId)
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
