import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { endFollow } from '../../../db/chain/follows.ts'
import { networkOf } from '../../../db/chain/wallet-assets.ts'
import type { WorkerConfig } from '../../ingest-config.ts'
import { createAddressSet } from './address-set.ts'
import type { Nodes } from '../../nodes/create-nodes.ts'
import type { ChooseNode } from './block-methods.ts'
import { createEvmReader } from './evm-reader.ts'
import type { EvmNetwork } from './evm-reader.ts'
import { followHead } from './follow-head.ts'
import type { BlockRule } from './verify-block.ts'

/** At two calls a block, more would cost a free plan its day. */
const MOST_BEHIND = 50_000

const BY_BLOCKS = { tickMs: null, reason: null, node: null }

interface FollowActivityDeps {
  pool: pg.Pool
  config: Pick<WorkerConfig, 'followedNetworks'>
  poolOf: Nodes['poolOf']
  now: () => Date
  /** Aborted when the running activity must end: it was cancelled, or its worker shuts down. */
  ending: () => AbortSignal
}

export type FollowActivities = ReturnType<typeof createFollowActivities>

/** The activities of the task queue of followers. They share one set of addresses for all networks. */
export function createFollowActivities({ pool, config, poolOf, now, ending }: FollowActivityDeps) {
  const set = createAddressSet()

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
      const network = await evmNetwork(pool, networkId)
      const nodePool = await poolOf(networkId)
      const chooseNode: ChooseNode = (work) => nodePool.choose({ share: 'heads', ...work })
      const plan = () => Promise.resolve(BY_BLOCKS)
      const signal = ending()
      return await followHead(
        {
          pool,
          reader: createEvmReader({ pool, chooseNode, plan, set, now }, network),
          now,
          wait: (ms) => sleep(ms, undefined, { signal }).catch(() => {}),
          isEnding: () => signal.aborted,
          mostBehind: MOST_BEHIND,
        },
        network,
      )
    },
  }
}

async function evmNetwork(pool: pg.Pool, networkId: string): Promise<EvmNetwork> {
  const row = await networkOf(pool, networkId)
  if (row.block_ms === null) throw new Error(`${networkId} has no head that can be followed`)
  return {
    id: row.id,
    source: `rpc:${row.id}`,
    reorgDepth: row.reorg_depth,
    blockMs: row.block_ms,
    headTag: row.head_tag,
    unproven: new Set(row.unproven as BlockRule[]),
    wrappedAddress: row.wrapped_address,
  }
}
