import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { address } from '../setup/wallet-factories.ts'
import { alchemy } from '../upstreams/nodes/alchemy.ts'
import { anyNode } from '../upstreams/nodes/any-node.ts'
import { createMemoryChain } from '../upstreams/nodes/chain.ts'
import { BY_RANGES, follow, track } from './follow-directly.ts'
import { followedPool } from './followed-pool.ts'

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 6, applicationName: 'test' })
afterAll(close)

test('ranges are read a second time by another node, unless its plan takes many times the calls', async () => {
  const chain = createMemoryChain()
  const mine = (blocks: number) => {
    for (let i = 0; i < blocks; i++) chain.mine()
  }
  mine(30)
  const { node, nodes } = await followedPool(chain, anyNode(), alchemy)
  await track(pool, address(2))
  const follower = await follow({ pool, node, plan: () => Promise.resolve(BY_RANGES) })
  await follower.catchUp()
  mine(300)
  await follower.catchUp()
  mine(300)
  await follower.catchUp()
  mine(300)
  await follower.catchUp()
  const counted = nodes.map(({ calls }) => calls.filter(({ method }) => method === 'eth_getLogs').length)
  // Its first range is refused, which says how narrow it is.
  expect(counted[1]).toBeLessThanOrEqual(40)
  expect(counted[0]).toBeGreaterThan(8)
  // Nor is a block asked for a third time.
  const times = new Map<string, number>()
  for (const { method, params } of nodes[0]!.calls) {
    if (method !== 'eth_getLogs') continue
    const { fromBlock, toBlock, topics } = params[0] as {
      fromBlock: string
      toBlock: string
      topics: unknown
    }
    for (let block = Number(fromBlock); block <= Number(toBlock); block++) {
      const key = `${block} ${JSON.stringify(topics)}`
      times.set(key, (times.get(key) ?? 0) + 1)
    }
  }
  expect(Math.max(...times.values())).toBe(2)
})
