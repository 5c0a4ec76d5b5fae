import { describe, expect, test, vi } from 'vitest'
import { address } from '../setup/wallet-factories.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { BY_BLOCKS, BY_RANGES, follow, track } from './follow-directly.ts'
import { chainOf30, followDatabase } from './follow-database.ts'
import { memoryNode } from './memory-node.ts'

const [payer, wallet] = [address(1), address(2)] as const
const BLOCK_MS = 12_000
/** Steps in five minutes. */
const STEPS = 25
const { pool } = await followDatabase()

/** Two nodes with a block each in place of block 31. Batches ask them in turn, unless one is preferred. */
async function forked(plan = BY_BLOCKS) {
  await track(pool, wallet)
  const chain = chainOf30(payer)
  const [a, b] = [memoryNode(chain.fork(30, 'a'), 'a'), memoryNode(chain.fork(30, 'b'), 'b')]
  let turn = 0
  let nowMs = Date.UTC(2026, 10, 2)
  /** A worker that takes the network over knows only what is stored. */
  const begin = () =>
    follow({
      pool,
      now: () => new Date(nowMs),
      plan: () => Promise.resolve(plan),
      node: {
        usable: () => [...a.usable(), ...b.usable()],
        chooseNode(work) {
          const next = turn++ % 2 === 0 ? a : b
          return (work.prefer === 'a' ? a : work.prefer === 'b' ? b : next).chooseNode(work)
        },
      },
    })
  let follower = await begin()
  await follower.step()
  const rewound = vi.spyOn(follower.deps.reader, 'rewound')
  const step = async () => {
    nowMs += BLOCK_MS
    await follower.step()
  }
  const restart = async () => void (follower = await begin())
  return { a: a.chain, b: b.chain, rewound, step, restart }
}

const pay = (on: MemoryChain) => on.mine({ from: payer, to: wallet, value: 1n })

async function cursor(): Promise<unknown> {
  const { rows } = await pool.query('select cursor_hash from network_follows')
  return rows[0].cursor_hash
}

/** Hashes of the blocks with rows. */
async function stored(): Promise<unknown[]> {
  const { rows } = await pool.query('select block_hash from transactions order by block_number')
  return rows.map((row) => row.block_hash)
}

const hashesOf = (chain: MemoryChain) =>
  Array.from({ length: chain.head() - 30 }, (_, i) => chain.block(31 + i)!.hash)

describe('case 14 two nodes on two branches for five minutes', () => {
  test.each([BY_BLOCKS, BY_RANGES])(
    'branches of the same height: the followed one stays, and then the higher head wins ($tickMs)',
    async (plan) => {
      const { a, b, rewound, step } = await forked(plan)
      for (let i = 0; i < 10; i++) {
        pay(a)
        pay(b)
        await step()
        await step()
      }
      expect(rewound).not.toHaveBeenCalled()
      const first = (await cursor()) === a.block(a.head())!.hash ? a : b
      const second = first === a ? b : a
      expect(await stored()).toEqual(hashesOf(first))
      pay(second)
      for (let i = 0; i < 4; i++) await step()
      expect(rewound).toHaveBeenCalledTimes(1)
      expect(await cursor()).toBe(second.block(second.head())!.hash)
      expect(await stored()).toEqual(hashesOf(second))
    },
  )

  test('branches that are higher in turn: after more than three rewinds the follower stays on one', async () => {
    const { a, b, rewound, step } = await forked()
    for (let i = 0; i < STEPS; i++) {
      const [leader, other] = i % 2 === 0 ? [a, b] : [b, a]
      while (leader.head() <= other.head()) pay(leader)
      await step()
      await step()
    }
    expect(rewound).toHaveBeenCalledTimes(4)
    const { rows } = await pool.query('select method_reason as reason from network_follows')
    expect(rows[0].reason).toMatch(/^nodes are on different branches: [ab] is followed$/)
    const held = String(rows[0].reason).includes(': a ') ? a : b
    expect(await cursor()).toBe(held.block(held.head())!.hash)
    expect(await stored()).toEqual(hashesOf(held))
  })

  test('a worker that starts anew for each block counts the same rewinds, and stays on the same branch', async () => {
    const { a, b, step, restart } = await forked()
    const rewinds = async () =>
      (await pool.query('select block_number::int as block, blocks from network_rewinds order by at')).rows
    for (let i = 0; i < STEPS; i++) {
      const [leader, other] = i % 2 === 0 ? [a, b] : [b, a]
      while (leader.head() <= other.head()) pay(leader)
      for (let steps = 0; steps < 2; steps++) {
        await restart()
        await step()
      }
    }
    const replaced = await rewinds()
    expect(replaced).toHaveLength(4)
    for (const { block, blocks } of replaced) expect([block, blocks > 0]).toEqual([30, true])
    const { rows } = await pool.query('select node, held_until from network_follows')
    expect(rows[0].held_until).not.toBe(null)
    const held = rows[0].node === 'a' ? a : b
    expect(await cursor()).toBe(held.block(held.head())!.hash)
    expect(await stored()).toEqual(hashesOf(held))
  })
})
