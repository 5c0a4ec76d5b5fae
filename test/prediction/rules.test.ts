import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketPoints } from '../../activities/prediction/bucket-points.ts'
import { type Fill, replayFills } from '../../activities/prediction/replay-fills.ts'
import { venueTime } from '../../activities/prediction/venue-fields.ts'
import { add, decimal, formatDecimal, multiply, subtract, sum, toNumber } from '../../db/values/decimal.ts'

const at = (day: number) => new Date(Date.UTC(2026, 0, day, 12))
const fill = (day: number, side: 'buy' | 'sell', size: string, price: string, outcome = 0): Fill => ({
  at: at(day),
  side,
  size,
  price,
  outcome,
})

test('a sale takes its share of the average cost, and the resolution pays the rest', () => {
  const fills = [fill(1, 'buy', '100', '0.4'), fill(2, 'buy', '100', '0.6'), fill(3, 'sell', '50', '0.7')]
  const open = replayFills({ fills, payouts: [null, null], resolvedAt: null })
  const [position] = open.positions
  expect([position!.shares, position!.costUsd, position!.realizedUsd].map(formatDecimal)).toEqual([
    '150',
    '75',
    '10',
  ])
  const won = replayFills({ fills, payouts: ['1', '0'], resolvedAt: at(9) })
  expect([won.positions[0]!.status, formatDecimal(won.positions[0]!.realizedUsd)]).toEqual(['won', '85'])
  const lost = replayFills({ fills, payouts: ['0', '1'], resolvedAt: at(9) })
  expect([lost.positions[0]!.status, formatDecimal(lost.positions[0]!.realizedUsd)]).toEqual(['lost', '-65'])
})

test('shares sold without a purchase come from a split: one dollar for a share of each outcome', () => {
  const { positions, days } = replayFills({
    fills: [fill(1, 'sell', '10', '0.7')],
    payouts: [null, null],
    resolvedAt: null,
  })
  expect(positions.map(({ status }) => status)).toEqual(['sold', 'open'])
  expect(formatDecimal(positions[0]!.realizedUsd)).toBe('0')
  expect([positions[1]!.shares, positions[1]!.costUsd].map(formatDecimal)).toEqual(['10', '3'])
  expect(formatDecimal(days[0]!.cashUsd)).toBe('-3')
})

test('cash plus held value equals realised plus unrealised profit for any trades', () => {
  const anyFill = fc.record({
    day: fc.integer({ min: 1, max: 28 }),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    size: fc.integer({ min: 1, max: 1_000_000 }).map((n) => String(n / 100)),
    price: fc.integer({ min: 1, max: 999 }).map((n) => String(n / 1000)),
    outcome: fc.integer({ min: 0, max: 1 }),
  })
  fc.assert(
    fc.property(
      fc.array(anyFill, { minLength: 1, maxLength: 40 }),
      fc.constantFrom(null, '0', '1', '0.5'),
      (rows, payout) => {
        const fills = rows
          .toSorted((a, b) => a.day - b.day)
          .map((row) => fill(row.day, row.side, row.size, row.price, row.outcome))
        const payouts =
          payout === null ? [null, null] : [payout, formatDecimal(subtract(decimal('1'), decimal(payout)))]
        const { positions, days } = replayFills({
          fills,
          payouts,
          resolvedAt: payout === null ? null : at(29),
        })
        const open = positions.filter(({ status }) => status === 'open')
        const held = sum(open.map(({ shares }) => multiply(shares, decimal('0.37'))))
        const cash = sum(days.map(({ cashUsd }) => cashUsd))
        const realised = sum(positions.map(({ realizedUsd }) => realizedUsd))
        const unrealised = subtract(held, sum(open.map(({ costUsd }) => costUsd)))
        expect(toNumber(subtract(add(cash, held), add(realised, unrealised)))).toBeCloseTo(0, 12)
        for (const { shares } of positions) expect(shares.coefficient >= 0n).toBe(true)
        expect(days.reduce((count, { trades }) => count + trades, 0)).toBe(fills.length)
      },
    ),
  )
})

test('reads venue times in ISO form, with a space, a short zone or a bare date, and placeholders as null', () => {
  const odd = new Date('2025-11-01T06:28:08Z')
  for (const text of [
    '2025-11-01T06:28:08Z',
    '2025-11-01 06:28:08+00',
    '2025-11-01 07:28:08+0100',
    '2025-11-01T06:28:08',
  ])
    expect(venueTime(text)).toEqual(odd)
  expect(venueTime('2025-10-31')).toEqual(new Date('2025-10-31T00:00:00Z'))
  for (const nothing of ['0001-01-01T00:00:00Z', '', null, undefined, 5, 'soon', '2025-13-01', '9999-01-01'])
    expect(venueTime(nothing)).toBeNull()
})

test('takes the last point before each round instant, in any order', () => {
  const point = (minute: number, price: string) => ({ at: new Date(minute * 60_000), price })
  expect(bucketPoints([point(59, '0.2'), point(3, '0.1'), point(60, '0.3'), point(61, '0.4')], 60)).toEqual([
    point(60, '0.3'),
    point(120, '0.4'),
  ])
})
