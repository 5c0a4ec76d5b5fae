import type pg from 'pg'
import { networkOf } from '../../db/chain/wallet-assets.ts'
import type { NetworkRow } from '../../db/chain/wallet-assets.ts'
import { networkWithId } from '../../db/values/networks.ts'
import type { NetworkId } from '../../db/values/networks.ts'
import type { WorkerConfig } from '../ingest-config.ts'
import { SourceRejected } from '../errors.ts'
import type { HttpClient } from '../http-client.ts'
import type { BackfillNetwork } from './backfill-step.ts'
import { withKeptHeaders } from './kept-headers.ts'
import { createExplorers } from './sources/explorer.ts'
import type { Explorers } from './sources/explorer.ts'
import { createAlchemyTransfers } from './sources/alchemy-transfers.ts'
import { createBlockbookApi } from './sources/blockbook.ts'
import { createBlockscout } from './sources/blockscout.ts'
import { createCosmos } from './sources/cosmos.ts'
import { createEsplora } from './sources/esplora.ts'
import { createEtherscan, createRoutescan } from './sources/etherscan.ts'
import { createEvmSource } from './sources/evm.ts'
import { createKoios } from './sources/koios.ts'
import type { NodeDeps } from '../deps.ts'
import { createRpcSource } from './sources/rpc.ts'
import { createSolana } from './sources/solana.ts'
import { createSui } from './sources/sui.ts'
import { createToncenter } from './sources/toncenter.ts'
import { createTrongrid } from './sources/trongrid.ts'
import { createUtxoSource } from './sources/utxo.ts'
import { createXrpl } from './sources/xrpl.ts'
import type { WalletSource } from './wallet-source.ts'
import { nativeContracts } from './sources/native-transfers.ts'

export type ChainNetwork = BackfillNetwork & { blockchain: string }

interface NetworksDeps extends NodeDeps {
  pool: pg.Pool
  http: HttpClient
  config: Pick<WorkerConfig, 'sources'>
  now: () => Date
}

/** Returns a network with its source. Each source is created once: it remembers what its provider accepts. */
export function createNetworks(deps: NetworksDeps): (networkId: string) => Promise<ChainNetwork> {
  const explorers = createExplorers(configuredExplorers(deps.http, deps.config.sources), () =>
    deps.now().getTime(),
  )
  const networks = new Map<string, ChainNetwork>()
  return async (networkId) => {
    const known = networks.get(networkId)
    if (known) return known
    const row = await networkOf(deps.pool, networkId)
    const network: ChainNetwork = {
      id: networkId,
      blockchain: row.blockchain,
      reorgDepth: row.reorg_depth,
      source: withKeptHeaders(deps.pool, { source: await sourceOf(row, deps, explorers), networkId }),
    }
    networks.set(networkId, network)
    return network
  }
}

async function sourceOf(
  row: NetworkRow,
  { http, nodes, config }: NetworksDeps,
  explorers: Explorers,
): Promise<WalletSource> {
  const { esplora, koios, solana, toncenter, trongrid, xrpl } = config.sources
  const { multicall3, history, utxo, cosmos } = networkWithId(row.id as NetworkId)
  switch (row.kind) {
    case 'bitcoin':
      if (!esplora) throw new SourceRejected('esplora', 'the network is off: ESPLORA_URL is not set')
      return createEsplora({ http, url: esplora.url, reorgDepth: row.reorg_depth })
    case 'utxo': {
      const name = history[0]!
      const blockbook = config.sources[name]
      if (!blockbook) throw new SourceRejected(name, `the network is off: ${name} has no URL`)
      const formats = utxo!
      const api = createBlockbookApi({ http, name, url: blockbook.url, formats })
      return createUtxoSource({ api, formats, reorgDepth: row.reorg_depth })
    }
    case 'solana':
      if (!solana) throw new SourceRejected('solana', 'the network is off: SOLANA_URL is not set')
      return createSolana({ http, url: solana.url })
    case 'tron':
      if (!trongrid) throw new SourceRejected('trongrid', 'the network is off: TRONGRID_URL is not set')
      return createTrongrid({ http, ...trongrid, wrapped: row.wrapped_address })
    case 'xrpl':
      if (!xrpl) throw new SourceRejected('xrpl', 'the network is off: XRPL_URL is not set')
      return createXrpl({ http, url: xrpl.url })
    case 'cosmos': {
      const name = history[0]!
      const node = config.sources[name]
      if (!node) throw new SourceRejected(name, `the network is off: ${name} has no URL`)
      return createCosmos({ http, name, url: node.url, ...cosmos! })
    }
    case 'sui': {
      const server = config.sources['sui-graphql']
      if (!server) throw new SourceRejected('sui-graphql', 'the network is off: SUI_GRAPHQL_URL is not set')
      return createSui({ http, url: server.url })
    }
    case 'ton':
      if (!toncenter) throw new SourceRejected('toncenter', 'the network is off: TONCENTER_URL is not set')
      return createToncenter({ http, ...toncenter })
    case 'cardano':
      if (!koios) throw new SourceRejected('koios', 'the network is off: KOIOS_URL is not set')
      return createKoios({ http, ...koios })
    case 'evm': {
      const clients = {
        heads: await nodes(row.id, 'heads'),
        wallets: await nodes(row.id, 'wallets'),
        history: await nodes(row.id, 'history'),
      }
      const rpc = createRpcSource({ clients, contracts: nativeContracts(row) })
      const chain = { chainId: Number(row.chain_id), reorgDepth: row.reorg_depth }
      return createEvmSource({ ...chain, ...(multicall3 && { multicall3 }), rpc, explorers })
    }
  }
}

function configuredExplorers(http: HttpClient, sources: WorkerConfig['sources']) {
  const { etherscan, blockscout, routescan, 'alchemy-transfers': alchemy } = sources
  return [
    ...(etherscan ? [createEtherscan({ http, ...etherscan })] : []),
    ...(blockscout ? [createBlockscout({ http, ...blockscout })] : []),
    ...(routescan ? [createRoutescan({ http, ...routescan })] : []),
    ...(alchemy ? [createAlchemyTransfers({ http, ...alchemy })] : []),
  ]
}
