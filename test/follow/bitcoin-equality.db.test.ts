import fc from 'fast-check'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { syncDirectly } from '../chain/sync-directly.ts'
import { deriveAll } from '../derive/derive-directly.ts'
import { runs } from '../setup/runs.ts'
import { createRandom } from '../upstreams/double.ts'
import { followBitcoin, REORG_DEPTH, serveBitcoin } from './follow-bitcoin.ts'
import { followDatabase } from './follow-database.ts'
import { chainRows } from './follow-directly.ts'
import { cold, createMemoryBitcoin, hardware, mineRandom, old } from './memory-bitcoin.ts'

const WALLETS = [hardware.name, cold.name, old.name]

const [followed, polled] = [await followDatabase(), await followDatabase()]
for (const { owner } of [followed, polled])
  await owner.query(`update networks set reorg_depth = ${REORG_DEPTH} where id = 'bitcoin'`)

const number = (max: number) => fc.integer({ min: 1, max })
const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ name: fc.constant('mine' as const), n: number(3) }) },
  { weight: 5, arbitrary: fc.record({ name: fc.constant('follow' as const), n: number(3) }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('fork' as const), n: number(REORG_DEPTH) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('restart' as const), n: number(1) }) },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('derive' as const), n: number(1) }) },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('sync' as const), n: number(WALLETS.length) }) },
)

test('case 37 a random Bitcoin chain with reorgs gives the same rows followed and derived, and polled from nothing', async () => {
  let [reorgs, transactions] = [0, 0]
  const property = fc.asyncProperty(
    fc.array(operation, { minLength: 12, maxLength: 25 }),
    fc.nat(),
    async (operations, seed) => {
      await Promise.all([followed.empty(), polled.empty()])
      const random = createRandom(seed)
      const chain = createMemoryBitcoin()
      for (let i = 0; i < REORG_DEPTH + 12; i++) mineRandom(chain, random)
      const node = await serveBitcoin(chain)
      const network = await node.networkFor(followed.pool)
      const sync = (wallet: string) => syncDirectly({ pool: followed.pool, network, address: wallet })
      await sync(WALLETS[0]!)
      let follower = await followBitcoin({ pool: followed.pool, node })
      await follower.catchUp()
      // Deeper forks than a chain may have would stop the follower: none begins below what was forked.
      let settled = 0
      for (const { name, n } of operations)
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
            settled = Math.max(settled, head - REORG_DEPTH)
            node.chain = node.chain.fork(Math.max(settled, head - n), `${reorgs++}`)
            while (node.chain.head() < head + 1) mineRandom(node.chain, random)
            break
          }
          case 'restart':
            follower = await followBitcoin({ pool: followed.pool, node })
            break
          case 'derive':
            await deriveAll({ pool: followed.pool, network })
            break
          case 'sync':
            await sync(WALLETS[n - 1]!)
        }
      for (const wallet of WALLETS) await sync(wallet)
      // The next block takes up the wallets whose history has come so far.
      mineRandom(node.chain, random)
      await follower.catchUp()
      mineRandom(node.chain, random)
      await follower.catchUp()
      const reference = await node.networkFor(polled.pool)
      for (const wallet of WALLETS)
        await syncDirectly({ pool: polled.pool, network: reference, address: wallet })
      // Rows of the follower alone, before a sync reads the blocks that it has stored.
      const expected = await rowsOf(polled.pool)
      const found = await rowsOf(followed.pool)
      for (const table of ['transactions', 'transfers']) expect(found[table]).toEqual(expected[table])
      expect(await uncovered()).toBe(0)
      // What is derived of the touched wallets is what their syncs would give.
      await deriveAll({ pool: followed.pool, network })
      expect(await rowsOf(followed.pool)).toEqual(expected)
      for (const wallet of WALLETS) await sync(wallet)
      expect(await rowsOf(followed.pool)).toEqual(expected)
      transactions += expected['transactions']!.length
      await node.stop()
    },
  )
  await fc.assert(property, { numRuns: runs({ short: 4, long: 300 }) })
  expect(reorgs).toBeGreaterThan(0)
  expect(transactions).toBeGreaterThan(100)
})

/** Histories of addresses do not state the parents of old blocks. */
async function rowsOf(pool: pg.Pool): Promise<Record<string, string[]>> {
  const rows = await chainRows(pool)
  return { ...rows, blocks: rows['blocks']!.map((row) => row.replace(/^(\(\d+,[0-9a-f]+,)[0-9a-f]*/, '$1')) }
}

async function uncovered(): Promise<number> {
  const { rows } = await followed.pool.query('select from wallet_syncs where covered_from is null')
  return rows.length
}
