import { expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import { createBranchChoice } from '../../activities/chain/follow/choose-branch.ts'
import type { UsableNode } from '../../activities/nodes/node-pool.ts'
import { followDatabase } from './follow-database.ts'

// Which of several nodes is followed, with nodes that tell headers alone.

const HOLD_MS = 600_000
const START_MS = Date.UTC(2026, 10, 2)
const { pool, query } = await followDatabase()
const cursor = { number: 100, hash: 'cursor' }

/** The headers of a node by what is asked for; an error: it refuses. */
type Headers = Record<string, { number: string; hash: string } | Error | null>
const at = (number: number, hash = 'cursor') => ({ number: `0x${number.toString(16)}`, hash })

function choice(nodes: Record<string, Headers>) {
  const world = { nowMs: START_MS, questions: [] as unknown[] }
  const usable = Object.entries(nodes).map(
    ([name, headers]) =>
      ({
        name,
        client: {
          call(method: string, ...params: unknown[]) {
            world.questions.push([method, ...params])
            const found = headers[String(params[0])] ?? null
            return found instanceof Error ? Promise.reject(found) : Promise.resolve(found)
          },
        },
      }) as unknown as UsableNode,
  )
  const branch = createBranchChoice({
    pool,
    networkId: 'ethereum',
    nodes: () => usable,
    headTag: 'latest',
    now: () => new Date(world.nowMs),
  })
  return Object.assign(branch, { world })
}

const begin = () =>
  pool.query(
    `insert into network_follows (network_id, mode, method) values ('ethereum', 'blocks', 'receipts')`,
  )

/** Stores that the cursor's network was rewound so often. */
const rewind = (times: number) =>
  pool.query(
    `insert into network_rewinds (network_id, at, block_number, blocks)
     select 'ethereum', clock_timestamp() - n * interval '1 second', 90, 1 from generate_series(1, $1) n`,
    [times],
  )

test.each<[what: string, followed: Headers, head: number, may: boolean]>([
  ['has the cursor and the same head', { '0x64': at(100), latest: at(101) }, 101, false],
  ['has the cursor and a higher head', { '0x64': at(100), latest: at(102) }, 101, false],
  ['has the cursor and a lower head', { '0x64': at(100), latest: at(100) }, 101, true],
  ['has another block in its place', { '0x64': at(100, 'other'), latest: at(102) }, 101, true],
  ['has no such block', { latest: at(102) }, 101, true],
  [
    'has the cursor and tells no head',
    { '0x64': at(100), latest: new SourceUnavailable('a', '') },
    101,
    false,
  ],
  ['does not answer', { '0x64': new SourceUnavailable('a', ''), latest: at(102) }, 101, true],
])('whether another node replaces the cursor where the followed one %s', async (_, followed, head, may) => {
  const branch = choice({ a: followed, b: {} })
  branch.follow('a')
  expect(await branch.mayReplace({ node: 'b', cursor, head })).toBe(may)
  // The one that is right is asked next, and then any.
  expect([branch.preferred(), branch.preferred()]).toEqual([may ? 'b' : 'a', null])
  // Headers are enough.
  for (const question of branch.world.questions)
    expect(question).toEqual(['eth_getBlockByNumber', expect.any(String), false])
})

test('the followed node itself, and any where the followed one is gone, replaces the cursor unasked', async () => {
  const branch = choice({ a: {}, b: {} })
  branch.follow('a')
  expect(await branch.mayReplace({ node: 'a', cursor, head: 1 })).toBe(true)
  branch.follow('gone')
  expect(await branch.mayReplace({ node: 'b', cursor, head: 1 })).toBe(true)
  expect(branch.world.questions).toEqual([])
})

test('what is no fault of a node is thrown', async () => {
  const branch = choice({ a: { latest: new TypeError('test') }, b: {} })
  branch.follow('a')
  await expect(branch.mayReplace({ node: 'b', cursor, head: 101 })).rejects.toThrow(TypeError)
})

test('after more than three rewinds the highest node is held for ten minutes, and known to the next attempt', async () => {
  await begin()
  const nodes = { low: { latest: at(99) }, silent: { latest: null }, high: { latest: at(101) } }
  const branch = choice(nodes)
  await rewind(3)
  await branch.rewound(90)
  expect(branch.held()).toBeNull()
  await rewind(1)
  await branch.rewound(90)
  expect(branch.held()).toBe('high')
  expect(branch.preferred()).toBe('high')
  expect(await query('select node from network_follows')).toEqual(['high'])
  const next = choice(nodes)
  await next.load()
  for (const one of [branch, next]) {
    one.world.nowMs = START_MS + HOLD_MS - 1
    expect(one.held()).toBe('high')
    one.world.nowMs++
    expect([one.held(), one.preferred()]).toEqual([null, null])
  }
})

test('of nodes with the same head the first is held, and none where there is none', async () => {
  await begin()
  await rewind(4)
  const branch = choice({ a: { latest: at(99) }, b: { latest: at(101) }, c: { latest: at(101) } })
  await branch.rewound(90)
  expect(branch.held()).toBe('b')
  const none = choice({})
  await none.rewound(90)
  expect(none.held()).toBeNull()
})

test('an attempt without a hold of an earlier one asks any node', async () => {
  await begin()
  await pool.query(`update network_follows set node = 'a'`)
  const branch = choice({ a: {}, b: {} })
  await branch.load()
  expect([branch.held(), branch.preferred()]).toEqual([null, null])
  // It knows which one was followed.
  expect(await branch.mayReplace({ node: 'a', cursor, head: 1 })).toBe(true)
  expect(branch.world.questions).toEqual([])
})
