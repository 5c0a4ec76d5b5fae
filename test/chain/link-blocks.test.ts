import { expect, test } from 'vitest'
import type { ChainBlock } from '../../activities/chain/chain-data.ts'
import { linkBlocks } from '../../activities/chain/sources/esplora-blocks.ts'
import { hash } from '../setup/wallet-factories.ts'

const block = (number: number, rest: Partial<ChainBlock> = {}): ChainBlock => ({
  number,
  hash: hash(number),
  parentHash: hash(number - 1),
  atMs: number * 1_000,
  ...rest,
})
/** Known of a transaction: without its parent. */
const named = (number: number, rest: Partial<ChainBlock> = {}) => block(number, { parentHash: null, ...rest })

/** Links blocks up to 100, of which those above 90 may be replaced. The service gives three at a time. */
async function link(found: readonly ChainBlock[], blockAt: (number: number) => ChainBlock = block) {
  const asked: number[] = []
  const linked = await linkBlocks({
    name: 'esplora',
    blocksFrom: async (height) => (
      asked.push(height),
      [height, height - 1, height - 2].map((one) => blockAt(one))
    ),
    found,
    headBlock: 100,
    reorgDepth: 10,
  })
  return { asked, linked }
}

test('recent blocks have their parents, and older ones are as they were found', async () => {
  const { asked, linked } = await link([named(90), named(50), named(97), named(96), named(97)])
  expect(linked).toEqual([named(90), named(50), block(97), block(96), block(100)])
  expect(asked).toEqual([100, 97])
})

test('the head is there though no block was found', async () => {
  expect(await link([])).toEqual({ asked: [100], linked: [block(100)] })
  expect((await link([named(100)])).linked).toEqual([block(100)])
})

const REORG = 'a reorg happened during the read'
test.each<[what: string, found: ChainBlock[], blockAt: (number: number) => ChainBlock]>([
  ['has another hash than was found', [named(97, { hash: hash(1) })], block],
  [
    'is no parent of the one above it',
    [named(97)],
    (number) => block(number, number === 98 ? { hash: hash(1) } : {}),
  ],
  ['is of another height', [named(97)], (number) => block(number === 99 ? 98 : number)],
])('a block that %s is refused', async (_what, found, blockAt) => {
  await expect(link(found, blockAt)).rejects.toThrow(REORG)
})

test('an old block may have any hash', async () => {
  expect((await link([named(90, { hash: hash(1) })])).linked[0]!.hash).toBe(hash(1))
})
