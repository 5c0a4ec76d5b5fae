import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { unavailable } from '../../api/errors.ts'
import { createBatcher } from '../../api/metering/batcher.ts'

const lost = Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })

test('only one batch is in flight; later items share the next one, and answers keep their order', async () => {
  const batches: number[][] = []
  let inFlight = 0
  const submit = createBatcher<number, number>({
    maxBatch: 100,
    maxWaiting: 1_000,
    run: async (items) => {
      expect(++inFlight).toBe(1)
      batches.push(items)
      await setTimeout(5)
      inFlight--
      return items.map((item) => item * 2)
    },
  })
  const first = [1, 2, 3].map(submit)
  await setTimeout(1)
  const second = [4, 5].map(submit)
  expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10])
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
})

test('a batch is never larger than its maximum', async () => {
  const sizes: number[] = []
  const submit = createBatcher<number, number>({
    maxBatch: 10,
    maxWaiting: 1_000,
    run: async (items) => {
      sizes.push(items.length)
      return items
    },
  })
  await Promise.all(Array.from({ length: 25 }, (_, i) => submit(i)))
  expect(sizes).toEqual([10, 10, 5])
})

test('a full queue answers 503 immediately', async () => {
  const submit = createBatcher<number, number>({ maxBatch: 1, maxWaiting: 2, run: async (items) => items })
  const results = await Promise.allSettled([submit(1), submit(2), submit(3)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(results[2]).toMatchObject({ reason: unavailable() })
})

test('a lost database fails items in flight and waiting ones; the next request tries again', async () => {
  let broken = true
  const submit = createBatcher<number, number>({
    maxBatch: 1,
    maxWaiting: 10,
    run: async (items) => {
      await setTimeout(1)
      if (broken) throw lost
      return items
    },
  })
  const results = await Promise.allSettled([submit(1), submit(2)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  broken = false
  expect(await submit(3)).toBe(3)
})

test('any other failure affects only its own batch', async () => {
  const submit = createBatcher<number, number>({
    maxBatch: 1,
    maxWaiting: 10,
    run: async ([item]) => {
      if (item === 1) throw new Error('wrong')
      return [item!]
    },
  })
  const results = await Promise.allSettled([submit(1), submit(2)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

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
