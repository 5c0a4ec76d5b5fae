import type { ChooseNode } from '../../activities/chain/follow/block-methods.ts'
import { createNodePool } from '../../activities/nodes/node-pool.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { stopLater } from '../upstreams/actors.ts'
import { createClock } from '../upstreams/double.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { startNode } from '../upstreams/nodes/node-double.ts'
import type { NodeDouble } from '../upstreams/nodes/node-double.ts'
import type { Vendor } from '../upstreams/nodes/vendor.ts'

/** Nodes of vendors' plans behind a pool, as a follower has them. */
export async function followedPool(chain: MemoryChain, ...vendors: readonly Vendor[]) {
  const clock = createClock()
  const nodes: NodeDouble[] = []
  for (const vendor of vendors) nodes.push(await startNode({ vendor, chain, clock }))
  nodes.forEach(stopLater)
  const nodePool = createNodePool({
    networkId: 'ethereum',
    chainId: 1,
    urls: nodes.map(({ nodeUrl }) => nodeUrl),
    usage: createUsageCounts(() => new Date(clock.now())),
    now: () => new Date(clock.now()),
    pause: async (ms) => clock.advance(ms),
  })
  const chooseNode: ChooseNode = (work) => nodePool.choose({ share: 'heads', ...work })
  const usable = () => nodePool.usable('heads')
  return { node: { chain, chooseNode, usable }, clock, nodes, nodePool }
}
