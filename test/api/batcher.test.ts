import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { createBatcher } from '../../api/metering/batcher.ts'

test('each batch runs in the asynchronous context of its first item', async () => {
  const caller = new AsyncLocalStorage<number>()
  const ran: { items: number[]; by: number | undefined }[] = []
  const batcher = createBatcher<number, number>({
    maxBatch: 3,
    maxWaiting: 100,
    async run(items) {
      ran.push({ items, by: caller.getStore() })
      await new Promise(setImmediate)
      return items.map((item) => item * 2)
    },
  })
  const ask = (item: number) => caller.run(item, () => batcher(item))
  // The second call comes while the first batch runs, and the last when nothing waits any more.
  const first = Promise.all([1, 2, 3, 4, 5].map(ask))
  await new Promise(setImmediate)
  const second = Promise.all([6, 7, 8, 9].map(ask))
  expect(await first).toEqual([2, 4, 6, 8, 10])
  expect(await second).toEqual([12, 14, 16, 18])
  expect(await ask(10)).toBe(20)
  expect(ran).toEqual([
    { items: [1, 2, 3], by: 1 },
    { items: [4, 5, 6], by: 4 },
    { items: [7, 8, 9], by: 7 },
    { items: [10], by: 10 },
  ])
})
