import { expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import { createAddressSet } from '../../activities/chain/follow/address-set.ts'
import type { BlockFetcher, FollowedHeader } from '../../activities/chain/follow/block-data.ts'
import { readBatch } from '../../activities/chain/follow/read-batch.ts'
import { nativeContracts } from '../../activities/chain/sources/native-transfers.ts'
import { hash } from '../setup/wallet-factories.ts'

const headerOf = (number: number, parent = number - 1): FollowedHeader => ({
  number: `0x${number.toString(16)}`,
  hash: hash(number),
  parentHash: hash(parent),
  timestamp: '0x64',
  gasUsed: '0x0',
  logsBloom: '0x',
  transactions: [],
})

/** Reads empty blocks from 100 up to a head. `msOfBlock`: how long the node takes for each, one after the other. */
async function read(
  top: number,
  { msOfBlock = 0, headers = headerOf as (number: number) => FollowedHeader | null } = {},
) {
  const asked: number[] = []
  let nowMs = 5_000
  const fetcher: BlockFetcher = {
    head: () => Promise.reject(new Error('the head is known')),
    async header(number) {
      asked.push(number)
      return headers(number)
    },
    async fetch(header) {
      nowMs += msOfBlock
      return { header, transactions: [], read: () => Promise.reject(new Error('no transaction is named')) }
    },
    block: () => Promise.reject(new Error('blocks are read by number')),
  }
  const contracts = nativeContracts({ native_token: null, wrapped_address: null, entry_points: [] })
  const blocks = await readBatch(
    { fetcher, source: 'rpc:n', contracts, now: () => new Date(nowMs) },
    { from: 100, head: headerOf(top), set: createAddressSet() },
  )
  return { numbers: blocks.map(({ block }) => block.number), asked }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test.each([
  [100, 100],
  [103, 103],
  [112, 112],
  [139, 139],
  [140, 139],
  [500, 139],
])(
  'with the head at %i, blocks are read up to %i, and the head is not asked for again',
  async (top, last) => {
    const batch = await read(top)
    expect(batch.numbers).toEqual(numbers(100, last))
    expect(batch.asked).toEqual(batch.numbers.filter((number) => number !== top))
  },
)

test.each([
  [62, 123],
  [63, 115],
  [125, 107],
  [124, 115],
])('a node that takes %i ms for each block is asked for no more after a second', async (msOfBlock, last) => {
  expect((await read(500, { msOfBlock })).numbers).toEqual(numbers(100, last))
})

test.each<[string, (number: number) => FollowedHeader | null, string]>([
  ['lacks a block', (number) => (number === 104 ? null : headerOf(number)), 'block 104 is missing'],
  [
    'has another branch from a block on',
    (number) => headerOf(number, number === 104 ? 7 : number - 1),
    'block 104 does not follow',
  ],
  [
    'has another branch from the ninth block on',
    (number) => headerOf(number, number === 108 ? 7 : number - 1),
    'block 108 does not follow',
  ],
])('a node that %s is asked again', async (_, headers, message) => {
  const reading = read(120, { headers })
  await expect(reading).rejects.toThrow(SourceUnavailable)
  await expect(reading).rejects.toThrow(message)
})
