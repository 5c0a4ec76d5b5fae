import { expect, test } from 'vitest'
import { createExplorerSteps } from '../../activities/chain/sources/explorer-steps.ts'
import type {
  ExplorerBlock,
  ExplorerRequest,
  Explorers,
  ExplorerStep,
} from '../../activities/chain/sources/explorer.ts'
import { address, hash } from '../setup/wallet-factories.ts'

const OWN = address(1)
const request = (
  fromBlock: number,
  toBlock = 1_000,
  rest: Partial<ExplorerRequest> = {},
): ExplorerRequest => ({
  chainId: 1,
  address: OWN,
  fromBlock,
  toBlock,
  next: null,
  ...rest,
})
const blockOf = (number: number): ExplorerBlock => ({ number, hash: hash(number), atMs: number * 1_000 })

/** A step of transactions in these blocks, each of which sent something inside. */
function stepOf(numbers: readonly number[], rest: Partial<ExplorerStep> = {}): ExplorerStep {
  const hashes = numbers.map((_, i) => `0x${i}`)
  return {
    hashes,
    internals: hashes.map((txHash) => ({ txHash, from: OWN, to: address(2), value: 1n })),
    blocks: new Map(hashes.map((one, i) => [one, blockOf(numbers[i]!)])),
    through: 1_000,
    next: null,
    ...rest,
  }
}

/** Reads from an explorer that answers with this step, and counts how often it is asked. */
function reading(step: ExplorerStep) {
  let asked = 0
  const explorers = { read: async () => (asked++, { source: 'scan', step }) } as unknown as Explorers
  const steps = createExplorerSteps(explorers)
  const take = async (of: ExplorerRequest, cursor = of.fromBlock - 1) => {
    const answer = await steps.take(of, cursor)
    if ('refused' in answer) throw new Error('refused')
    return answer
  }
  return { take, asked: () => asked }
}
const range = (count: number, at: (i: number) => number) => Array.from({ length: count }, (_, i) => at(i))

test('a step of 100 transactions is one part, with their blocks', async () => {
  const { take } = reading(stepOf(range(100, (i) => i + 1)))
  const { source, part } = await take(request(1))
  expect(source).toBe('scan')
  expect(part.hashes).toHaveLength(100)
  expect(part.internals).toHaveLength(100)
  expect(part).toMatchObject({ through: 1_000, next: null })
  expect(part.blocks[99]).toEqual({ number: 100, hash: hash(100), parentHash: null, atMs: 100_000 })
})

test('a larger one ends with the block of the hundredth, and its rest is the next part without a question', async () => {
  // Explorers may give the newest first. Two transactions are in each block.
  const { take, asked } = reading(stepOf(range(240, (i) => 120 - Math.floor(i / 2))))
  const { part: first } = await take(request(1))
  expect(first).toMatchObject({ through: 50, next: null })
  expect(first.hashes).toHaveLength(100)
  expect(first.internals.map(({ txHash }) => txHash)).toEqual(first.hashes)
  expect(new Set(first.blocks.map(({ number }) => number))).toEqual(new Set(range(50, (i) => i + 1)))
  const { part: second } = await take(request(51))
  expect(second).toMatchObject({ through: 100 })
  expect(second.blocks.every(({ number }) => number > 50 && number <= 100)).toBe(true)
  const { source, part: third } = await take(request(101))
  expect(source).toBe('scan')
  expect(third).toMatchObject({ through: 1_000 })
  expect(third.hashes).toHaveLength(40)
  expect(asked()).toBe(1)
  // Nothing is left of it.
  await take(request(1_001))
  expect(asked()).toBe(2)
})

test.each<[what: string, next: ExplorerRequest]>([
  ['from another block', request(52)],
  ['only to an earlier block', request(51, 999)],
  ['from a page on', request(51, 1_000, { next: 'page' })],
  ['of another address', request(51, 1_000, { address: address(3) })],
])('the rest of a step is not taken %s', async (_what, next) => {
  const { take, asked } = reading(stepOf(range(240, (i) => 1 + Math.floor(i / 2))))
  await take(request(1))
  await take(next)
  expect(asked()).toBe(2)
})

test('a part does not end before the cursor', async () => {
  const { take } = reading(stepOf(range(240, (i) => 1 + Math.floor(i / 2))))
  const { part } = await take(request(1), 70)
  expect(part.through).toBe(70)
  expect(part.hashes).toHaveLength(140)
})

const many = range(150, (i) => i + 1)
const named = stepOf(many).blocks!
test.each<[what: string, step: ExplorerStep]>([
  ['that goes on at a page', stepOf(many, { next: 'page' })],
  ['whose blocks are not known', { ...stepOf(many), blocks: undefined } as unknown as ExplorerStep],
  ['of which one block is not known', stepOf(many, { blocks: new Map([...named].slice(1)) })],
  ['whose last block has the rest', stepOf(range(150, (i) => Math.min(i + 1, 100)))],
  ['that is complete up to the hundredth', stepOf(many, { through: 100 })],
])('a step %s is not split', async (_what, step) => {
  const { part } = await reading(step).take(request(1))
  expect(part).toMatchObject({ through: step.through, next: step.next })
  expect(part.hashes).toHaveLength(150)
})

test('only blocks of which hash and time are known are named', async () => {
  const blocks = new Map<string, ExplorerBlock>([
    ['0x0', { ...blockOf(1), hash: null }],
    ['0x1', { ...blockOf(2), atMs: null }],
    ['0x2', blockOf(3)],
  ])
  const { part } = await reading(stepOf([1, 2, 3, 4], { blocks })).take(request(1))
  expect(part.blocks.map(({ number }) => number)).toEqual([3])
})
