import type pg from 'pg'
import { countFollowed } from '../../../db/chain/follows.ts'
import type { Nodes } from '../../nodes/create-nodes.ts'
import type { NodeOffer } from '../../nodes/node-offers.ts'
import type { NodePool } from '../../nodes/node-pool.ts'
import type { NetworkToFollow } from './method-costs.ts'

/** The EVM networks among those named, with their wallets and what their nodes offer. */
export async function networksToFollow(input: {
  pool: pg.Pool
  poolOf: Nodes['poolOf']
  offersOf: (pool: NodePool) => Promise<NodeOffer[]>
  networkIds: readonly string[]
}): Promise<NetworkToFollow[]> {
  const { pool, poolOf, offersOf, networkIds } = input
  const networks = await countFollowed(pool, networkIds)
  return await Promise.all(
    networks.map(async (network) => ({ ...network, nodes: await offersOf(await poolOf(network.networkId)) })),
  )
}
