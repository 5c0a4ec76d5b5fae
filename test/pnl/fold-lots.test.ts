import { expect, test } from 'vitest'
import { type Move, sumMoves } from '../../db/pnl/lots/coin-state.ts'
import { createDayAmounts } from '../../db/pnl/lots/day-amounts.ts'
import { type DatedPostings, foldLots, type LotUse } from '../../db/pnl/lots/fold-lots.ts'
import { createLotPool } from '../../db/pnl/lots/lot-pool.ts'
import type { Posting } from '../../db/pnl/lots/posting.ts'
import { decimal, formatDecimal, ZERO } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'

const text = formatDecimal
const bought = (quantity: string, usd: string, coinId = 'a'): Posting => ({
  kind: 'acquire',
  reason: 'trade',
  coinId,
  quantity: decimal(quantity),
  marketUsd: decimal(usd),
  costUsd: decimal(usd),
})
const sold = (quantity: string, coinId = 'a'): Posting => ({
  kind: 'dispose',
  reason: 'trade',
  coinId,
  quantity: decimal(quantity),
  marketUsd: ZERO,
  proceedsUsd: ZERO,
})
const carried = (quantity: string, from = 'a'): Posting => {
  const leg = (coinId: string) => ({ coinId, quantity: decimal(quantity), marketUsd: decimal('1') })
  return { kind: 'carry', from: [leg(from)], to: [leg('b')] }
}
const entry = (atMs: number, ...postings: Posting[]): DatedPostings => ({ txId: `${atMs}`, atMs, postings })

function usesOf(entries: readonly DatedPostings[]) {
  const uses: { use: LotUse; atMs: number; seq: number }[] = []
  foldLots({ method: 'fifo', entries, onLots: (use, { atMs, seq }) => uses.push({ use, atMs, seq }) })
  return uses
}

test('uses are numbered within their instant, over its transactions, and from 1 at the next', () => {
  const entries = [
    entry(1, bought('5', '5'), sold('1')),
    entry(1, bought('1', '1')),
    entry(2, sold('1')),
    entry(3, sold('1'), carried('1')),
  ]
  expect(usesOf(entries).map(({ atMs, seq }) => [atMs, seq])).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
    [2, 1],
    [3, 1],
    [3, 2],
    [3, 2],
  ])
})

test('what is carried without being held arrives as a lot of that instant without a cost', () => {
  const entries = [entry(1, bought('1', '100')), entry(5, carried('3')), entry(6, carried('2', 'c'))]
  const arrived = usesOf(entries).filter(({ use }) => use.kind === 'carry in')
  expect(
    arrived.map(({ use: { lots } }) => lots.map((lot) => [lot.atMs, text(lot.quantity), text(lot.cost)])),
  ).toEqual([
    [
      [1, '1', '100'],
      [5, '2', '0'],
    ],
    [[6, '2', '0']],
  ])
})

test('only trades count as bought and sold, and every move as an arrival or a departure', () => {
  const move = (quantity: string, isTrade: boolean, usd: string): Move => ({
    coinId: 'a',
    atMs: 0,
    quantity: decimal(quantity),
    isTrade,
    amount: decimal(usd),
    market: decimal(usd),
    paid: ZERO,
  })
  const moves = [move('1', true, '2'), move('10', false, '20'), move('-3', true, '5'), move('-4', false, '7')]
  const { quantity, acquired, disposed, bought: buys, sold: sales } = sumMoves(moves).get('a')!
  expect([quantity, acquired, disposed].map(text)).toEqual(['4', '22', '12'])
  expect([buys, sales].map((total) => [text(total.quantity), text(total.amount)])).toEqual([
    ['1', '2'],
    ['3', '5'],
  ])
})

test.each(['fifo', 'lifo', 'hifo'] as const)('%s: open lots are in the order of arrival', (method) => {
  const pool = createLotPool(method)
  const costs = ['4', '9', '1', '7', '3', '8', '2']
  // One is neither the oldest, the newest nor the dearest.
  for (const [i, cost] of costs.entries())
    pool.add({ atMs: (i * 5) % 7, seq: 1, quantity: decimal('1'), cost: decimal(cost) })
  expect(pool.open()!.map(({ cost }) => text(cost))).toEqual(costs)
  const [taken] = pool.take(decimal('1')).lots
  expect(pool.open()!.map(({ cost }) => text(cost))).toEqual(
    costs.filter((cost) => cost !== text(taken!.cost)),
  )
})

test('amounts of a month are by day, the earliest first, whatever comes first', () => {
  const amounts = createDayAmounts({ method: 'lifo', quantityOf: () => ZERO, heldOf: new Map() })
  const lot = (day: number) => ({ atMs: day * DAY_MS, seq: 1, quantity: decimal('1'), cost: decimal('1') })
  const use: LotUse = {
    kind: 'dispose',
    coinId: 'a',
    reason: 'trade',
    quantity: decimal('3'),
    amount: decimal('9'),
    cost: decimal('3'),
    lots: [lot(19), lot(3), lot(11)],
    missing: ZERO,
  }
  amounts.note(use, 20 * DAY_MS)
  expect(amounts.endMonth('a').days.map(({ day }) => day)).toEqual([3, 11, 19, 20])
})

test('earlier costs are asked for where they are carried, where half or more is sold, and where few are left', () => {
  const held = { a: '1', tiny: '1e-19', tinier: '0.99e-19' }
  const missing = (...postings: Posting[]) =>
    createDayAmounts({
      method: 'average',
      quantityOf: () => decimal('10'),
      heldOf: new Map(Object.entries(held).map(([coinId, part]) => [coinId, decimal(part)])),
    }).missingFor(postings)
  expect(missing(bought('9', '1'))).toEqual([])
  expect(missing(sold('4.9'))).toEqual([])
  expect(missing(sold('5'))).toEqual(['a'])
  expect(missing(sold('2.5'), bought('9', '1'), sold('2.5'))).toEqual(['a'])
  expect(missing(carried('1'))).toEqual(['a'])
  expect(missing(sold('1', 'tiny'))).toEqual([])
  expect(missing(sold('1', 'tinier'))).toEqual(['tinier'])
  // Not held when the fold began.
  expect(missing(sold('9', 'new'))).toEqual([])
})
