import fc from 'fast-check'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { deriveAll, deriveSome } from '../derive/derive-directly.ts'
import { runs } from '../setup/runs.ts'
import { createRandom } from '../upstreams/double.ts'
import { TRANSFER_TOPIC } from '../upstreams/nodes/chain.ts'
import type { LogSpec, MemoryChain } from '../upstreams/nodes/chain.ts'
import { ENTRY_POINT } from '../upstreams/nodes/user-operation.ts'
import { BY_BLOCKS, BY_RANGES, chainRows, follow, NETWORK, track } from './follow-directly.ts'
import { followDatabase } from './follow-database.ts'
import { memoryNode } from './memory-node.ts'
import { fundedChain, mineRandom, PEOPLE, WALLETS } from './random-chain.ts'

const { reorgDepth } = NETWORK
const [followed, polled] = [await followDatabase(), await followDatabase()]

/** What happens next. Numbers choose wallets, blocks and methods. */
const OPERATIONS = [
  {
    weight: 5,
    arbitrary: fc.record({ name: fc.constant('mine' as const), n: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ name: fc.constant('follow' as const), n: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ name: fc.constant('fork' as const), n: fc.integer({ min: 1, max: reorgDepth }) }),
  },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('restart' as const), n: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('track' as const), n: fc.nat(WALLETS.length - 1) }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('sync' as const), n: fc.nat(WALLETS.length - 1) }) },
  { weight: 4, arbitrary: fc.record({ name: fc.constant('derive' as const), n: fc.constant(0) }) },
] as const
const METHODS = [
  { plan: BY_BLOCKS, lacks: [] },
  { plan: BY_BLOCKS, lacks: ['eth_getBlockReceipts'] },
  { plan: BY_RANGES, lacks: [] },
  { plan: BY_RANGES, lacks: ['eth_getBlockReceipts'] },
] as const
const CHANGE_METHOD = {
  weight: 4,
  arbitrary: fc.record({ name: fc.constant('method' as const), n: fc.nat(METHODS.length - 1) }),
}

test('case 37 a random chain with reorgs gives the same rows followed and derived, and polled from nothing', async () => {
  await expectSameRows(fc.oneof(...OPERATIONS), PEOPLE)
})

test('case 38 so it does by receipts, by logs, by ranges, and with each switch between them', async () => {
  // Ranges do not show a transaction of others that moves nothing, so only the first wallet has failing ones.
  await expectSameRows(fc.oneof(...OPERATIONS, CHANGE_METHOD), WALLETS.slice(0, 1))
})

interface Operation {
  name: 'mine' | 'follow' | 'fork' | 'restart' | 'track' | 'sync' | 'derive' | 'method'
  n: number
}

async function expectSameRows(operation: fc.Arbitrary<Operation>, failing: readonly string[]): Promise<void> {
  let reorgs = 0
  let transactions = 0
  const property = fc.asyncProperty(
    fc.array(operation, { minLength: 10, maxLength: 25 }),
    fc.nat(),
    async (operations, seed) => {
      await Promise.all([followed.empty(), polled.empty()])
      const random = { random: createRandom(seed), failing }
      const first = fundedChain()
      for (let i = 0; i < reorgDepth + 10; i++) mineRandom(first, random)
      const node = memoryNode(first)
      const server = await node.serve()
      const options = { networkId: 'ethereum', url: server.url, reorgDepth }
      const network = await testNetwork(followed.pool, options)
      const tracked = new Set<string>([WALLETS[0]!])
      await track(followed.pool, WALLETS[0]!)
      let { plan } = METHODS[0] as (typeof METHODS)[number]
      const begin = () => follow({ pool: followed.pool, node, plan: () => Promise.resolve(plan) })
      let follower = await begin()
      await follower.catchUp()
      // Deeper forks than a chain may have would stop the follower: none begins below what was forked.
      let settled = 0
      for (const { name, n } of operations) {
        const wallet = WALLETS[n]!
        switch (name) {
          case 'mine':
            for (let i = 0; i < n; i++) mineRandom(node.chain, random)
            break
          case 'follow':
            for (let i = 0; i < n; i++) await follower.step()
            break
          case 'fork': {
            await follower.catchUp()
            const head = node.chain.head()
            settled = Math.max(settled, head - reorgDepth)
            node.chain = node.chain.fork(Math.max(settled, head - n), `${reorgs++}`)
            while (node.chain.head() < head + 1) mineRandom(node.chain, random)
            break
          }
          case 'restart':
            follower = await begin()
            break
          case 'method':
            plan = METHODS[n]!.plan
            node.lacks = METHODS[n]!.lacks
            break
          case 'track':
            if (!tracked.has(wallet)) await track(followed.pool, wallet)
            tracked.add(wallet)
            break
          case 'derive':
            // The node may have left the branch of the cursor.
            await deriveSome({ pool: followed.pool, network })
            break
          case 'sync':
            tracked.add(wallet)
            await syncDirectly({ pool: followed.pool, network, address: wallet })
        }
      }
      // The next block takes up wallets that were tracked at the head.
      mineRandom(node.chain, random)
      await follower.catchUp()
      // Rows of the follower alone, before any sync reads the rest: none is missing above the coverage.
      await expectCovered(node.chain)
      // A sync reads the history that is not complete yet. All other rows are what was derived.
      for (const wallet of await wantingHistory(followed.pool))
        await syncDirectly({ pool: followed.pool, network, address: wallet })
      await deriveAll({ pool: followed.pool, network })
      expect((await followed.pool.query('select * from touched_wallets')).rows).toEqual([])
      const own = await testNetwork(polled.pool, options)
      for (const wallet of tracked) await syncDirectly({ pool: polled.pool, network: own, address: wallet })
      await server.stop()
      const rows = await chainRows(followed.pool)
      expect(rows).toEqual(await chainRows(polled.pool))
      transactions += rows['transactions']!.length
    },
  )
  await fc.assert(property, { numRuns: runs({ short: 4, long: 500 }) })
  expect(reorgs).toBeGreaterThan(0)
  expect(transactions).toBeGreaterThan(100)
}

/** Wallets whose history does not reach the blocks that the follower covers. */
async function wantingHistory(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ address: string }>(
    `select address from wallet_syncs join wallets on wallets.id = wallet_id
     where synced_at is null or least(cursor_block, normalised_block) < covered_from - 1`,
  )
  return rows.map(({ address }) => address)
}

/** Expects each native and token transfer, approval and operation of a wallet from its coverage on to be stored. */
async function expectCovered(chain: MemoryChain): Promise<void> {
  const { rows } = await followed.pool.query<{ address: string; covered_from: number | null }>(
    'select address, covered_from::int from wallet_syncs join wallets on wallets.id = wallet_id',
  )
  const stored = await followed.pool.query<{ key: string }>(
    `select tx_hash || ' ' || block_hash || ' ' || from_address || ' ' || to_address as key from transfers`,
  )
  const known = new Set(stored.rows.map(({ key }) => key))
  for (const { address: wallet, covered_from: from } of rows) {
    expect(from).not.toBe(null)
    for (let number = from!; number <= chain.head(); number++) {
      const block = chain.block(number)!
      for (const { hash, from: sender, to, contractAddress, value, succeeds, logs } of block.transactions) {
        const found = logs.map(partiesOf)
        if (succeeds && value > 0n) found.push({ from: sender, to: (to ?? contractAddress)!, isOfBoth: true })
        for (const { from: giver, to: taker, isOfBoth } of found)
          if (giver === wallet || (isOfBoth && taker === wallet))
            expect(known).toContain([hash, block.hash, giver, taker].join(' '))
      }
    }
  }
}

/** An approval belongs to its owner and an operation to the account: the other side has nothing of it. */
function partiesOf({ address, topics }: LogSpec): { from: string; to: string; isOfBoth: boolean } {
  const [first, second] = topics.slice(1).map((topic) => `0x${topic.slice(26)}`) as [string, string]
  if (address === ENTRY_POINT) return { from: second, to: ENTRY_POINT, isOfBoth: false }
  return { from: first, to: second, isOfBoth: topics[0] === TRANSFER_TOPIC }
}
