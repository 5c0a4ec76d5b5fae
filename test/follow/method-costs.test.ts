import { expect, test } from 'vitest'
import {
  blocksCost,
  longestTick,
  rangesCost,
  shortestTick,
} from '../../activities/chain/follow/method-costs.ts'
import type { NodeOffer } from '../../activities/nodes/node-offers.ts'

const node = (rest: Partial<NodeOffer> = {}): NodeOffer => ({
  name: 'node',
  account: 'node',
  unitsADay: null,
  cost: () => 10,
  rate: null,
  hasReceipts: true,
  logBlocks: 1_000,
  hasOldBlocks: true,
  ...rest,
})
const network = (blockMs: number, wallets = 100) => ({ networkId: 'n', blockMs, wallets, nodes: [] })

test('each block takes its header, a tenth of a header more, and its receipts or logs', () => {
  for (const method of ['receipts', 'logs'] as const)
    expect(blocksCost(network(2_000), { node: node(), method })).toEqual({
      calls: 43_200 * 2.1,
      units: 432_000 * 2.1,
      unitsASecond: null,
    })
})

// A tick of a minute is 1,440 a day: three headers, and one call for balances.
test.each<[what: string, logs: number, offer: Partial<NodeOffer>, wallets: number]>([
  ['three filters twice where calls are not counted', 6 * 1_440, {}, 100],
  ['one filter twice where they are', 2 * 1_440, { unitsADay: 1_000_000 }, 100],
  ['one filter twice for more than 1,000 wallets', 2 * 1_440, {}, 1_001],
  ['as many calls as the blocks of the day need where a call has few', 6 * 4_320, { logBlocks: 10 }, 100],
])('ranges take %s', (_what, logs, offer, wallets) => {
  const asked = { node: node(offer), tickMs: 60_000 }
  const { calls } = rangesCost(network(2_000, wallets), asked)
  const balances = rangesCost(network(2_000, wallets), {
    ...asked,
    node: node({ ...offer, cost: (method) => Number(method === 'eth_call') }),
  })
  expect(calls - balances.units).toBe(3 * 1_440 + logs)
})

test('a range is as long as the blocks that a node keeps, and ten minutes at most', () => {
  const longest = (rest: Partial<NodeOffer>) => longestTick(network(2_000), node(rest))
  expect(longest({ hasOldBlocks: false, logBlocks: 10 })).toBe(20_000)
  expect(longest({ hasOldBlocks: false, logBlocks: 10_000 })).toBe(600_000)
  expect(longest({ logBlocks: 10 })).toBe(600_000)
})

test('the shortest tick is a second and no less than a block, and none where the longest costs too much', () => {
  const shortest = (blockMs: number, most: number, rest: Partial<NodeOffer> = {}) =>
    shortestTick(network(blockMs), { node: node(rest), fitsCost: ({ calls }) => calls <= most })
  expect(shortest(250, Infinity)).toBe(1_000)
  expect(shortest(12_000, Infinity)).toBe(12_000)
  // Ten calls in each tick.
  expect(shortest(2_000, 864_000 / 5)).toBe(5_000)
  expect(shortest(2_000, 1_439)).toBeNull()
  expect(shortest(2_000, 1_440)).toBe(600_000)
  // The blocks of a second and a half are no range of whole seconds of a chain of two.
  expect(shortest(2_000, Infinity, { hasOldBlocks: false, logBlocks: 0.75 })).toBeNull()
})
