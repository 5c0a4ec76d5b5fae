import { networkOf } from '../../db/chain/wallet-assets.ts'
import type { ActivityDeps, NodeDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import type { SourceOrders } from '../source-orders.ts'
import type { UsageCounts } from '../usage-counts.ts'
import type { NodeNotes } from './node-notes.ts'
import { createNodeRates } from './node-rate.ts'
import { createNodePool } from './node-pool.ts'
import type { NodePool } from './node-pool.ts'

export interface Nodes extends NodeDeps {
  /** The pool of a network, for work that must stay with one node. */
  poolOf: (networkId: string) => Promise<NodePool>
}

/** The pools of all networks with nodes, made when they are first asked for. */
export function createNodes(
  deps: Pick<ActivityDeps, 'pool' | 'now' | 'heartbeat'> & {
    config: Pick<ActivityDeps['config'], 'rpcUrls' | 'nodeBudgets'>
    usage: UsageCounts
    /** What operators ordered of nodes. Absent: nothing. */
    orders?: SourceOrders
    notes?: NodeNotes
    pause?: (ms: number) => Promise<void>
  },
): Nodes {
  const { pool, config, now, heartbeat, usage, orders, notes } = deps
  const pools = new Map<string, Promise<NodePool>>()
  const rateOf = createNodeRates(now)

  async function createPool(networkId: string): Promise<NodePool> {
    const urls = config.rpcUrls[networkId] ?? []
    if (urls.length === 0) {
      const variable = `RPC_URL_${networkId.toUpperCase().replaceAll('-', '_')}`
      throw new SourceRejected(`rpc:${networkId}`, `the network is off: ${variable} is not set`)
    }
    const { chain_id: chainId } = await networkOf(pool, networkId)
    await usage.ready()
    return createNodePool({
      networkId,
      chainId: Number(chainId),
      urls,
      budgets: config.nodeBudgets,
      usage,
      rateOf,
      now,
      heartbeat,
      ...(notes && { notes }),
      ...(orders && { orders }),
      ...(deps.pause && { pause: deps.pause }),
    })
  }

  function poolOf(networkId: string): Promise<NodePool> {
    const known = pools.get(networkId)
    if (known) return known
    const created = createPool(networkId)
    pools.set(networkId, created)
    created.catch(() => pools.delete(networkId))
    return created
  }

  return { poolOf, nodes: async (networkId, work) => (await poolOf(networkId)).client(work) }
}
