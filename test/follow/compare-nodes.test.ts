import { expect, test } from 'vitest'
import type pg from 'pg'
import { compareNodes } from '../../activities/chain/follow/compare-nodes.ts'
import type { BlockMethod, BlockMethods } from '../../activities/chain/follow/block-methods.ts'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'

/** Nothing may be stored. */
const pool = {} as pg.Pool

/** What a node says of a block: its hash, null where it has none, or why it does not answer. */
type Said = string | null | Error

/** Compares the blocks of a range on two nodes. Returns the blocks that were asked for. */
async function compare(range: { above: number; through: number }, one: Said, other?: Said) {
  const asked: number[] = []
  const methodOf = (said: Said) =>
    ({
      node: { name: 'node' },
      fetcher: {
        header(number: number) {
          asked.push(number)
          if (said instanceof Error) return Promise.reject(said)
          return Promise.resolve(said === null ? null : { hash: said })
        },
        fetch: (header: object) => Promise.resolve({ header, transactions: [] }),
      },
    }) as unknown as BlockMethod
  const methods = {
    current: () => methodOf(one),
    another: () => (other === undefined ? null : methodOf(other)),
  } as BlockMethods
  await compareNodes({ pool, methods, now: () => new Date(0) }, { source: 'rpc:test', ...range })
  return asked
}

test.each([
  [500, 999, []],
  [499, 499, []],
  [499, 500, [500, 500]],
  [0, 1_499, [1_000, 1_000]],
])('of the blocks above %d up to %d the last of each 500 is compared', async (above, through, asked) => {
  expect(await compare({ above, through }, 'a', 'a')).toEqual(asked)
})

const range = { above: 0, through: 500 }

test('one node alone is asked nothing', async () => {
  expect(await compare(range, 'a')).toEqual([])
})

test.each<[what: string, said: Said]>([
  ['lacks the block', null],
  ['does not answer', new SourceUnavailable('node', 'test')],
  ['refuses', new SourceRejected('node', 'test')],
])('a node that %s is no other than the one that answers', async (_, said) => {
  expect(await compare(range, said, 'a')).toEqual([500, 500])
  expect(await compare(range, 'a', said)).toEqual([500, 500])
  expect(await compare(range, said, said)).toEqual([500, 500])
})

test('what is no fault of a node is thrown', async () => {
  await expect(compare(range, 'a', new TypeError('test'))).rejects.toThrow(TypeError)
})
