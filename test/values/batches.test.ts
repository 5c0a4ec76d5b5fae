import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchesOf } from '../../db/values/batches.ts'

test('a list becomes full batches, and one with the rest', () => {
  expect(batchesOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(batchesOf([1, 2, 3, 4], 2)).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(batchesOf([1, 2], 5)).toEqual([[1, 2]])
  expect(batchesOf([], 5)).toEqual([])
})

test('every item is in one batch, in its order, and only the last batch is smaller', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 12 }), (items, size) => {
      const batches = batchesOf(items, size)
      expect(batches.flat()).toEqual(items)
      expect(batches.slice(0, -1).every((batch) => batch.length === size)).toBe(true)
      expect(batches.every((batch) => batch.length > 0 && batch.length <= size)).toBe(true)
    }),
  )
})
