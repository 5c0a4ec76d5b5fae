import type pg from 'pg'
import { endFollow, networksWithWallets } from '../../../db/chain/follows.ts'
import { networkOf } from '../../../db/chain/wallet-assets.ts'
import type { NetworkRow } from '../../../db/chain/wallet-assets.ts'
import type { HttpClient } from '../../http-client.ts'
import type { WorkerConfig } from '../../ingest-config.ts'
import { createEsploraApi } from '../sources/esplora-api.ts'
import { createOffers } from '../../nodes/node-offers.ts'
import { createAddressSet } from './address-set.ts'
import type { Nodes } from '../../nodes/create-nodes.ts'
import { createBitcoinReader } from './bitcoin-reader.ts'
import { createBitcoinWallets } from './bitcoin-wallets.ts'
import type { ChooseNode } from './block-methods.ts'
import type { BlockReader } from './block-reader.ts'
import { createEvmReader } from './evm-reader.ts'
import { followHead } from './follow-head.ts'
import type { FollowedNetwork } from './follow-head.ts'
import { keepMethods, readPlan } from './keep-method.ts'
import { networksToFollow } from './networks-to-follow.ts'
import type { BlockRule } from './verify-block.ts'
import { nativeContracts } from '../sources/native-transfers.ts'

/** At two calls a block, more would cost a free plan its day. */
const MOST_BEHIND = 50_000
/** A week: at one raw block in five seconds more takes longer than most wallets' histories. */
const MOST_BITCOIN_BEHIND = 1_000

interface FollowActivityDeps {
  pool: pg.Pool
  http: HttpClient
  config: Pick<WorkerConfig, 'followedNetworks' | 'sources'>
  poolOf: Nodes['poolOf']
  now: () => Date
  /** Aborted when the running activity must end: it was cancelled, or its worker shuts down. */
  ending: () => AbortSignal
  /** Ends early when the running activity must end. */
  wait: (ms: number) => Promise<void>
}

export type FollowActivities = ReturnType<typeof createFollowActivities>

/** The activities of the task queue of followers. They share one set of addresses for all networks. */
export function createFollowActivities(deps: FollowActivityDeps) {
  const { pool, config, now, ending, wait } = deps
  const set = createAddressSet()
  const bitcoinWallets = createBitcoinWallets(set)
  const offersOf = createOffers(now)
  const methods = keepMethods({
    networks: async () => {
      const networkIds = await networksWithWallets(pool, config.followedNetworks)
      return await networksToFollow({ pool, poolOf: deps.poolOf, offersOf, networkIds })
    },
    now,
  })

  async function readerOf(network: NetworkRow, followed: FollowedNetwork): Promise<BlockReader> {
    if (network.kind === 'bitcoin') {
      const { esplora } = config.sources
      if (!esplora) throw new Error('ESPLORA_URL is not set')
      const api = createEsploraApi({ http: deps.http, url: esplora.url })
      return createBitcoinReader({ pool, api, wallets: bitcoinWallets }, followed)
    }
    const nodes = await deps.poolOf(network.id)
    const chooseNode: ChooseNode = (work) => nodes.choose({ share: 'heads', ...work })
    const plan = () => readPlan({ methods, networkId: network.id, nodes })
    return createEvmReader(
      { pool, chooseNode, nodes: () => nodes.usable('heads'), plan, set, now },
      {
        ...followed,
        headTag: network.head_tag,
        unproven: new Set(network.unproven as BlockRule[]),
        contracts: nativeContracts(network),
      },
    )
  }

  return {
    /**
     * Follows the head of a network for an hour. `off`: a source refused, so a later try may help. `unset`:
     * this worker is not set to follow the network.
     */
    async followHead({ networkId }: { networkId: string }): Promise<'again' | 'off' | 'unset'> {
      if (!config.followedNetworks.includes(networkId)) {
        await endFollow(pool, { networkId, epoch: null, reason: 'FOLLOW_NETWORKS does not name it' })
        return 'unset'
      }
      const network = await networkOf(pool, networkId)
      const followed = followedNetwork(network)
      const signal = ending()
      return await followHead(
        {
          pool,
          reader: await readerOf(network, followed),
          now,
          wait,
          isEnding: () => signal.aborted,
          mostBehind: network.kind === 'bitcoin' ? MOST_BITCOIN_BEHIND : MOST_BEHIND,
        },
        followed,
      )
    },
  }
}

function followedNetwork({
  id,
  kind,
  reorg_depth: reorgDepth,
  block_ms: blockMs,
}: NetworkRow): FollowedNetwork {
  if (blockMs === null) throw new Error(`${id} has no head that can be followed`)
  return { id, source: kind === 'bitcoin' ? 'esplora' : `rpc:${id}`, reorgDepth, blockMs }
}
