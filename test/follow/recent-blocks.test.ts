import { expect, test } from 'vitest'
import { createAddressSet, lastBits } from '../../activities/chain/follow/address-set.ts'
import { rangesAreCheaper } from '../../activities/chain/follow/cheaper-way.ts'
import { createRecentBlocks } from '../../activities/chain/follow/recent-blocks.ts'
import { address, hash } from '../setup/wallet-factories.ts'

const mark = (number: number) => ({ number, hash: hash(number) })

/** Blocks that each name the address of their number. */
function recent(depth: number, ...numbers: number[]) {
  const blocks = createRecentBlocks(depth)
  for (const number of numbers) blocks.add(mark(number), Uint32Array.from(lastBits(address(number))))
  const found = (...of: number[]) => {
    const set = createAddressSet()
    for (const one of of) set.add(address(one))
    return blocks.matching(set).map(({ number }) => number)
  }
  return { blocks, found }
}

test('the last blocks are kept, up to the depth, and those that name an address are found in their order', () => {
  const { blocks, found } = recent(3, 1, 2, 3, 4)
  expect(blocks.first()).toBe(2)
  expect(found(4, 1, 2)).toEqual([2, 4])
})

test('a gap forgets the blocks before it, and a cut those above it', () => {
  const { blocks, found } = recent(5, 1, 2, 5, 6, 7)
  expect([blocks.first(), found(1, 2, 5, 7)]).toEqual([5, [5, 7]])
  blocks.cut(6)
  expect(found(5, 6, 7)).toEqual([5, 6])
  blocks.cut(-1)
  expect(blocks.first()).toBeNull()
})

const cost = (method: string) => (method === 'eth_call' ? 26 : 20)
const gap = {
  blocks: 1_000,
  busy: 0,
  wallets: 100,
  method: 'receipts' as const,
  plan: { cost, allowance: null } as unknown as Parameters<typeof rangesAreCheaper>[0]['plan'],
  logBlocks: 100,
}

test('ranges are cheaper where few blocks are busy, and calls have many blocks and few wallets', () => {
  // Each block takes 40 units.
  expect(rangesAreCheaper(gap)).toBe(true)
  expect(rangesAreCheaper({ ...gap, busy: 0.5 })).toBe(false)
  expect(rangesAreCheaper({ ...gap, logBlocks: 1 })).toBe(false)
  expect(rangesAreCheaper({ ...gap, logBlocks: 0 })).toBe(false)
  expect(rangesAreCheaper({ ...gap, wallets: 10_000_000 })).toBe(false)
  expect(rangesAreCheaper({ ...gap, blocks: 3 })).toBe(false)
  // Three filters twice are 120 units for three blocks; one filter twice, where calls are counted, 40.
  const close = { ...gap, logBlocks: 3 }
  const counted = { ...gap.plan, allowance: {} as never }
  expect(rangesAreCheaper(close)).toBe(false)
  expect(rangesAreCheaper({ ...close, plan: counted })).toBe(true)
  // One filter twice, one call for balances twice and three headers are 152.
  expect(rangesAreCheaper({ ...gap, plan: counted, blocks: 3 })).toBe(false)
  expect(rangesAreCheaper({ ...gap, plan: counted, blocks: 4 })).toBe(true)
  // Receipts that are dear make ranges cheaper, and logs do not know of it.
  const dear = {
    ...gap.plan,
    cost: (method: string) => (method === 'eth_getBlockReceipts' ? 200 : cost(method)),
  }
  expect(rangesAreCheaper({ ...close, plan: dear })).toBe(true)
  expect(rangesAreCheaper({ ...close, plan: dear, method: 'logs' })).toBe(false)
})
