import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLotPool } from '../../activities/pnl/lot-pool.ts'
import type { Lot } from '../../activities/pnl/lot-pool.ts'
import type { CostMethod } from '../../db/values/cost-methods.ts'
import {
  compare,
  decimal,
  divide,
  formatDecimal,
  fromRaw,
  multiply,
  sign,
  subtract,
} from '../../db/values/decimal.ts'

const text = formatDecimal

const lot = (atMs: number, cost: string) => ({ atMs, seq: atMs, quantity: decimal('1'), cost: decimal(cost) })

test.each([
  ['fifo', ['1', '7', '5']],
  ['lifo', ['5', '7', '1']],
] as const)(
  '%s: parts of one lot that were carried over one by one stand in the order in which they came',
  (method, expected) => {
    const pool = createLotPool(method)
    for (const one of [lot(0, '1'), lot(5, '7'), lot(5, '5')]) pool.add(one)
    const costs = expected.map(() => text(pool.take(decimal('1')).cost))
    expect(costs).toEqual(expected)
  },
)

test('average: an older lot that is carried over later dates the whole', () => {
  const pool = createLotPool('average')
  for (const one of [lot(5, '1'), lot(2, '1')]) pool.add(one)
  expect(pool.take(decimal('1')).lots.map(({ atMs, seq }) => [atMs, seq])).toEqual([[2, 2]])
})

/** Of the lots in the order in which they came, the one to take next: the first that no other is before. */
const isBefore: Record<Exclude<CostMethod, 'average'>, (a: Lot, b: Lot) => boolean> = {
  fifo: (a, b) => a.atMs < b.atMs,
  lifo: (a, b) => a.atMs >= b.atMs,
  hifo: (a, b) => {
    const dearer = compare(multiply(a.cost, b.quantity), multiply(b.cost, a.quantity))
    return dearer > 0 || (dearer === 0 && a.atMs < b.atMs)
  },
}

// Whole units at whole prices: nothing is rounded, and many lots share their instant and their price.
const step = fc.oneof(
  fc.record({
    atMs: fc.nat(3),
    units: fc.integer({ min: 1, max: 5 }),
    price: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ take: fc.integer({ min: 1, max: 9 }) }),
)

test.each(['fifo', 'lifo', 'hifo'] as const)(
  '%s takes what a list searched from end to end gives',
  (method) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const pool = createLotPool(method)
        const list: Lot[] = []
        for (const one of steps) {
          if ('units' in one) {
            const [quantity, price] = [fromRaw(BigInt(one.units), 0), fromRaw(BigInt(one.price), 0)]
            const added = { atMs: one.atMs, seq: 0, quantity, cost: multiply(quantity, price) }
            pool.add(added)
            list.push({ ...added })
            continue
          }
          let missing = fromRaw(BigInt(one.take), 0)
          const expected: string[] = []
          while (list.length > 0 && sign(missing) > 0) {
            const first = list.reduce((best, other) => (isBefore[method](other, best) ? other : best))
            const part = compare(first.quantity, missing) < 0 ? first.quantity : missing
            const cost = divide(multiply(first.cost, part), first.quantity)
            expected.push(`${first.atMs} ${text(part)} ${text(cost)}`)
            missing = subtract(missing, part)
            first.quantity = subtract(first.quantity, part)
            first.cost = subtract(first.cost, cost)
            if (sign(first.quantity) === 0) list.splice(list.indexOf(first), 1)
          }
          const taken = pool.take(fromRaw(BigInt(one.take), 0))
          expect(
            taken.lots.map(({ atMs, quantity, cost }) => `${atMs} ${text(quantity)} ${text(cost)}`),
          ).toEqual(expected)
          expect(text(taken.missing)).toBe(text(missing))
        }
      }),
      { numRuns: 300 },
    )
  },
)
