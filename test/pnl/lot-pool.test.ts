import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLotPool, COST_METHODS, type CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import type { Lot, LotPool } from '../../db/pnl/lots/lot-pool.ts'
import { foldOf, stateOf } from '../../db/pnl/lots/fold-lots.ts'
import { foldRow, inUnits, stateOfRow } from '../../db/pnl/lots/fold-rows.ts'
import type { FoldRow } from '../../db/pnl/lots/fold-rows.ts'
import {
  compare,
  decimal,
  divide,
  formatDecimal,
  fromRaw,
  multiply,
  sign,
  subtract,
  ZERO,
} from '../../db/values/decimal.ts'

const text = formatDecimal

const lot = (atMs: number, cost: string) => ({ atMs, seq: atMs, quantity: decimal('1'), cost: decimal(cost) })

test.each([
  ['fifo', ['1', '7', '5']],
  ['lifo', ['5', '7', '1']],
] as const)(
  '%s: parts of one lot that were carried over separately keep their order of arrival',
  (method, expected) => {
    const pool = createLotPool(method)
    for (const one of [lot(0, '1'), lot(5, '7'), lot(5, '5')]) pool.add(one)
    const costs = expected.map(() => text(pool.take(decimal('1')).cost))
    expect(costs).toEqual(expected)
  },
)

test('average: an older lot that arrives later sets the date of the whole', () => {
  const pool = createLotPool('average')
  for (const one of [lot(5, '1'), lot(2, '1')]) pool.add(one)
  expect(pool.take(decimal('1')).lots.map(({ atMs, seq }) => [atMs, seq])).toEqual([[2, 2]])
})

/** Whether lot `a`, which arrived after `b`, is taken before it. */
const isBefore: Record<Exclude<CostMethod, 'average'>, (a: Lot, b: Lot) => boolean> = {
  fifo: (a, b) => a.atMs < b.atMs,
  lifo: (a, b) => a.atMs >= b.atMs,
  hifo: (a, b) => {
    const dearer = compare(multiply(a.cost, b.quantity), multiply(b.cost, a.quantity))
    return dearer > 0 || (dearer === 0 && a.atMs < b.atMs)
  },
}

// Whole units at whole prices, so that nothing is rounded and many lots share instant and price.
const step = fc.oneof(
  fc.record({
    atMs: fc.nat(3),
    units: fc.integer({ min: 1, max: 5 }),
    price: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ take: fc.integer({ min: 1, max: 9 }) }),
)

test.each(['fifo', 'lifo', 'hifo'] as const)(
  '%s takes the same lots as a full search of a list',
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

const amount = fc.bigInt(1n, 10n ** 30n).map((coefficient) => ({ coefficient, scale: 18 }))
const fractional = fc.oneof(
  fc.record({ atMs: fc.nat(5), seq: fc.nat(2), quantity: amount, cost: amount }),
  fc.record({ take: amount }),
)

test.each(COST_METHODS)(
  '%s: a pool that is stored and restored at any point continues in the same way',
  (method) => {
    fc.assert(
      fc.property(fc.array(fractional, { maxLength: 40 }), fc.nat(40), (steps, at) => {
        const pool = createLotPool(method)
        let again = createLotPool(method)
        steps.forEach((one, index) => {
          if (index === at) again = restored(method, again)
          if (!('take' in one)) return [pool, again].forEach((each) => each.add(one))
          const [taken, other] = [pool.take(one.take), again.take(one.take)]
          expect(text(other.cost)).toBe(text(taken.cost))
          expect(text(other.missing)).toBe(text(taken.missing))
          if (method !== 'average') expect(other.lots.map(lotText)).toEqual(taken.lots.map(lotText))
        })
        expect([again.quantity(), again.cost()].map(text)).toEqual([pool.quantity(), pool.cost()].map(text))
        expect(again.open()?.map(lotText)).toEqual(pool.open()?.map(lotText))
      }),
      { numRuns: 200 },
    )
  },
)

const lotText = ({ atMs, seq, quantity, cost }: Lot) => `${atMs} ${seq} ${text(quantity)} ${text(cost)}`

/** Stores and restores a pool through the text of a coin row. */
function restored(method: CostMethod, pool: LotPool): LotPool {
  const none = { quantity: ZERO, amount: ZERO }
  const totals = {
    acquired: none,
    disposed: none,
    disposedCost: ZERO,
    sold: none,
    lastTrade: null,
    uncovered: ZERO,
    unvalued: ZERO,
    paid: ZERO,
  }
  const state = stateOf({ pool, ...totals })
  const row = foldRow({ foldId: '1', coinId: 'x', month: new Date(0), states: inUnits(() => state) })
  return foldOf(method, stateOfRow(JSON.parse(JSON.stringify(row)) as FoldRow, 'usd')).pool
}
