import type pg from 'pg'
import { networkOf } from '../../db/chain/wallet-assets.ts'
import type { NetworkRow } from '../../db/chain/wallet-assets.ts'
import type { WorkerConfig } from '../ingest-config.ts'
import { SourceRejected } from '../errors.ts'
import type { HttpClient } from '../http-client.ts'
import type { BackfillNetwork } from './backfill-step.ts'
import { createExplorers } from './sources/explorer.ts'
import type { Explorers } from './sources/explorer.ts'
import { createBlockscout } from './sources/blockscout.ts'
import { createEsplora } from './sources/esplora.ts'
import { createEtherscan, createRoutescan } from './sources/etherscan.ts'
import { createEvmSource } from './sources/evm.ts'
import { createRpcSource } from './sources/rpc.ts'
import { createSolana } from './sources/solana.ts'
import type { WalletSource } from './wallet-source.ts'

export type ChainNetwork = BackfillNetwork & { blockchain: string }

interface NetworksDeps {
  pool: pg.Pool
  http: HttpClient
  config: Pick<WorkerConfig, 'sources' | 'rpcUrls'>
}

/** Returns a network with its source. Each source is created once: it remembers what its provider accepts. */
export function createNetworks(deps: NetworksDeps): (networkId: string) => Promise<ChainNetwork> {
  const explorers = createExplorers(configuredExplorers(deps.http, deps.config.sources), Date.now)
  const networks = new Map<string, ChainNetwork>()
  return async (networkId) => {
    const known = networks.get(networkId)
    if (known) return known
    const row = await networkOf(deps.pool, networkId)
    const network: ChainNetwork = {
      id: networkId,
      blockchain: row.blockchain,
      reorgDepth: row.reorg_depth,
      source: sourceOf(row, deps, explorers),
    }
    networks.set(networkId, network)
    return network
  }
}

function sourceOf(row: NetworkRow, { http, config }: NetworksDeps, explorers: Explorers): WalletSource {
  const { esplora, solana } = config.sources
  switch (row.kind) {
    case 'bitcoin':
      if (!esplora) throw new SourceRejected('esplora', 'the network is off: ESPLORA_URL is not set')
      return createEsplora({ http, url: esplora.url, reorgDepth: row.reorg_depth })
    case 'solana':
      if (!solana) throw new SourceRejected('solana', 'the network is off: SOLANA_URL is not set')
      return createSolana({ http, url: solana.url })
    case 'evm': {
      const url = config.rpcUrls[row.id]
      if (url === undefined) {
        const variable = `RPC_URL_${row.id.toUpperCase().replaceAll('-', '_')}`
        throw new SourceRejected(`rpc:${row.id}`, `the network is off: ${variable} is not set`)
      }
      const rpc = createRpcSource({ url, networkId: row.id, wrappedAddress: row.wrapped_address })
      const chain = { chainId: Number(row.chain_id), reorgDepth: row.reorg_depth }
      return createEvmSource({ ...chain, rpc, explorers })
    }
  }
}

function configuredExplorers(http: HttpClient, sources: WorkerConfig['sources']) {
  const { etherscan, blockscout, routescan } = sources
  return [
    ...(etherscan ? [createEtherscan({ http, ...etherscan })] : []),
    ...(blockscout ? [createBlockscout({ http, ...blockscout })] : []),
    ...(routescan ? [createRoutescan({ http, ...routescan })] : []),
  ]
}
