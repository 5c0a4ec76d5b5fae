import type pg from 'pg'
import { networkOf } from '../../db/chain/wallet-assets.ts'
import type { WorkerConfig } from '../config.ts'
import { SourceRejected } from '../errors.ts'
import type { HttpClient } from '../http.ts'
import type { BackfillNetwork } from './backfill-step.ts'
import { createBlockscout } from './sources/blockscout.ts'
import { createEtherscan } from './sources/etherscan.ts'
import type { Explorer } from './sources/explorer.ts'
import { createRpcSource } from './sources/rpc.ts'

export type ChainNetwork = BackfillNetwork & { blockchain: string }

/** Gives a network with its sources; each is made once, for it remembers what its provider accepts. */
export function createNetworks(deps: {
  pool: pg.Pool
  http: HttpClient
  config: Pick<WorkerConfig, 'sources' | 'rpcUrls'>
}): (networkId: string) => Promise<ChainNetwork> {
  const { http, config } = deps
  const explorer = configuredExplorer(http, config.sources)
  const networks = new Map<string, ChainNetwork>()
  return async (networkId) => {
    const known = networks.get(networkId)
    if (known) return known
    const url = config.rpcUrls[networkId]
    if (url === undefined) {
      const variable = `RPC_URL_${networkId.toUpperCase().replaceAll('-', '_')}`
      throw new SourceRejected(`rpc:${networkId}`, `the network is off: ${variable} is not set`)
    }
    const row = await networkOf(deps.pool, networkId)
    const network: ChainNetwork = {
      id: networkId,
      blockchain: row.blockchain,
      chainId: Number(row.chain_id),
      reorgDepth: row.reorg_depth,
      rpc: createRpcSource({ url, networkId, wrappedAddress: row.wrapped_address }),
      explorer,
    }
    networks.set(networkId, network)
    return network
  }
}

/** Etherscan where it is configured, else Blockscout; with neither, history is read from the node alone. */
function configuredExplorer(http: HttpClient, sources: WorkerConfig['sources']): Explorer | null {
  const { etherscan, blockscout } = sources
  if (etherscan) return createEtherscan({ http, ...etherscan })
  return blockscout ? createBlockscout({ http, ...blockscout }) : null
}
