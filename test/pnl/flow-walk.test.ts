import { expect, test } from 'vitest'
import type { Leg } from '../../db/pnl/legs/leg.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { createFlowWalk } from '../../db/pnl/periods/flow-walk.ts'
import { inUnits } from '../../db/pnl/valuation/money.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'

const text = formatDecimal

const leg = (atMs: number, role: Role, coinId: string, quantity: string, price: string | null): Leg => ({
  account: 'A',
  txId: 'tx',
  seq: 1,
  atMs,
  role,
  coinId,
  quantity: decimal(quantity),
  priceUsd: price === null ? null : decimal(price),
  ...(price === null && { isUnpriced: true }),
})

/** A walk from the instant 10 on. `first`: instant and price by coin; `paid`: quantity and USD. */
function walkOf(input: {
  held?: Record<string, string>
  paid?: Record<string, [string, string]>
  first?: Record<string, [number, string]>
  mayOwe?: boolean
}) {
  const { held = {}, paid = {}, first = {}, mayOwe = false } = input
  const told: string[] = []
  const holdings = {
    balances: new Map(Object.entries(held).map(([coinId, quantity]) => [coinId, decimal(quantity)])),
    paid: new Map(
      Object.entries(paid).map(([coinId, [quantity, usd]]) => [
        coinId,
        { quantity: decimal(quantity), usd: decimal(usd) },
      ]),
    ),
  }
  const byCoin = new Map(
    Object.entries(first).map(([coinId, [atMs, usd]]) => [coinId, { coinId, atMs, usd: decimal(usd) }]),
  )
  const walk = createFlowWalk({
    fromMs: 10,
    holdings,
    firsts: { fromMs: 10, byCoin },
    mayOwe,
    onFlow: (atMs, usd) => told.push(`flow ${atMs} ${text(usd)}`),
    onFirstPrice: ({ coinId }, quantity) => told.push(`first ${text(quantity)} ${coinId}`),
  })
  return { walk, told, holdings }
}

test('what is held at its first price is a flow a millisecond before it, in the order of time, once that has come', () => {
  const { walk, told } = walkOf({
    held: { late: '3', early: '2', gone: '0', known: '7', before: '5', at: '5' },
    first: { late: [30, '4'], early: [20, '5'], gone: [20, '9'], before: [9, '1'], at: [10, '1'] },
  })
  walk.advance(19)
  expect(told).toEqual([])
  walk.advance(20)
  expect(told).toEqual(['flow 19 10', 'first 2 early'])
  walk.advance(40)
  walk.advance(50)
  expect(told.slice(2)).toEqual(['flow 29 12', 'first 3 late'])
})

test('a coin that arrives twice before its first price is a flow once, and one that arrives after it is not', () => {
  const { walk, told, holdings } = walkOf({ first: { coin: [30, '2'] } })
  walk.apply([[leg(15, 'transfer', 'coin', '1', null)]])
  walk.apply([[leg(16, 'transfer', 'coin', '3', null)]])
  // Moves on to its instant by itself.
  walk.apply([[leg(30, 'transfer', 'coin', '5', '2')]])
  expect(told).toEqual(['flow 29 8', 'first 4 coin', 'flow 30 10'])
  walk.advance(100)
  expect(told).toHaveLength(3)
  expect(text(holdings.balances.get('coin')!)).toBe('9')
})

test('what was paid for counts no more from the first price on, and is no flow at it', () => {
  const { walk, told, holdings } = walkOf({
    held: { part: '5', whole: '5', past: '5', never: '5' },
    paid: { part: ['2', '1'], whole: ['5', '1'], past: ['5', '1'], never: ['5', '1'] },
    first: { part: [20, '10'], whole: [20, '10'], past: [10, '10'] },
  })
  expect([...holdings.paid.keys()]).toEqual(['part', 'whole', 'never'])
  walk.advance(20)
  expect(told).toEqual(['flow 19 30', 'first 3 part'])
  expect([...holdings.paid.keys()]).toEqual(['never'])
})

test('flows of an instant are those of its transfers, and a shortfall is one unless the book may owe', () => {
  const instant = () => [
    [leg(20, 'transfer', 'A', '-3', '2')],
    [leg(20, 'trade', 'B', '-1', '4'), leg(20, 'trade', 'C', '2', '2')],
    [leg(20, 'transfer', 'B', '1', '4')],
  ]
  const missing = walkOf({ held: { A: '1' } })
  missing.walk.apply(instant())
  expect(missing.told).toEqual(['flow 20 -2', 'flow 20 4'])
  expect(text(missing.holdings.balances.get('A')!)).toBe('0')
  const owing = walkOf({ held: { A: '1' }, mayOwe: true })
  owing.walk.apply(instant())
  expect(owing.told).toEqual(['flow 20 -6', 'flow 20 4'])
  expect(text(owing.holdings.balances.get('A')!)).toBe('-2')
})

test('USD are worth nothing in a unit without a price, or with one of zero', () => {
  const shown = (btc: string | null, eth: string | null) => {
    const price = (usd: string | null) => (usd === null ? null : decimal(usd))
    const money = inUnits(decimal('10'), price(btc), price(eth))
    return [money.usd, money.btc, money.eth].map(text)
  }
  expect(shown('4', '5')).toEqual(['10', '2.5', '2'])
  expect(shown(null, '5')).toEqual(['10', '0', '2'])
  expect(shown('4', null)).toEqual(['10', '2.5', '0'])
  expect(shown('0', '5')).toEqual(['10', '0', '2'])
})
