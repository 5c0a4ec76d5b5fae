import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchTransfers } from '../../db/pnl/legs/match-transfers.ts'
import { type Leg, legKey, type Match, matchFee } from '../../db/pnl/legs/leg.ts'
import { compare, decimal, formatDecimal, fromRaw, negate, sign } from '../../db/values/decimal.ts'
import { HOUR_MS } from '../../db/values/periods.ts'
import { runs } from '../setup/runs.ts'
import { runScenario, type ScenarioLeg } from './scenario.ts'

// A bridge may take its fee out of the amount, so that less arrives on the other network than left.

const RUNS = runs({ short: 200, long: 10_000 })
const BEFORE = '2023-06-01'
const departure: ScenarioLeg = ['transfer', 'ethereum', 'ETH', '-10']
const crossing = (arrivedAt: string, amount: string, place = 'base') =>
  runScenario({
    prices: { ETH: { '2023-01-01': '2000', '2024-01-01T22:00Z': '2100', '2024-01-02T00:00Z': '2200' } },
    transactions: {
      [BEFORE]: [['transfer', 'ethereum', 'ETH', '20']],
      '2024-01-01T23:00Z': [departure],
      [arrivedAt]: [['transfer', place, 'ETH', amount]],
    },
    to: '2024-01-03',
  })

test('a bridge fee is paid at the departure; the rest is in flight with its cost until it arrives', () => {
  const result = crossing('2024-01-02T10:00Z', '9.99')
  // 20 at 2,000 become 19.99 at 2,200: the fee is worth nothing then, so its cost is the loss.
  expect(result.days).toEqual(['3978 9.945% 0', '0 0% 0'])
  expect(result.closing).toBe('43978')
  expect(result.gains).toEqual(['ETH -20'])
  expect(result.coin('ETH')).toMatchObject({ count: '19.99', basis: '39980', realized: '-20' })
})

test('each side alone has a flow of the amount that left or arrived', () => {
  const scenario = (accounts: string[]) =>
    runScenario({
      prices: { ETH: { '2023-01-01': '2000' } },
      transactions: {
        [BEFORE]: [['transfer', 'ethereum', 'ETH', '20']],
        '2024-01-01T12:00Z': [departure],
        '2024-01-01T12:20Z': [['transfer', 'base', 'ETH', '9.99']],
      },
      accounts,
    }).days
  expect(scenario(['ethereum'])).toEqual(['0 0% -20000'])
  expect(scenario(['base'])).toEqual(['0 0% 19980'])
  expect(scenario(['ethereum', 'base'])).toEqual(['-20 -0.05% 0'])
})

test.each([
  ['an arrival less exactly 1% matches', '2024-01-02T10:00Z', '9.9', 'base', 1],
  ['an arrival less more than 1% does not match', '2024-01-02T10:00Z', '9.899999', 'base', 0],
  ['an arrival of more than left does not match', '2024-01-02T10:00Z', '10.000001', 'base', 0],
  ['an arrival at the end of the window matches', '2024-01-04T23:00Z', '9.99', 'base', 1],
  ['an arrival after the window does not match', '2024-01-04T23:00:00.001Z', '9.99', 'base', 0],
  ['an arrival before the departure does not match', '2024-01-01T22:59Z', '9.99', 'base', 0],
  ['an arrival at the place of departure does not match', '2024-01-02T10:00Z', '9.99', 'ethereum', 0],
])('%s', (_, arrivedAt, amount, place, matches) => {
  expect(crossing(arrivedAt, amount, place).matches).toBe(matches)
})

interface Transfer {
  account: string
  minute: number
  milli: number
}

const legOf = ({ account, minute, milli }: Transfer, index: number): Leg => ({
  account,
  txId: `tx${index}`,
  seq: 0,
  atMs: minute * 60_000,
  role: 'transfer',
  coinId: 'ETH',
  quantity: fromRaw(BigInt(milli), 3),
  priceUsd: decimal('1'),
})

/** Two wallets on one network, one on another, and a manual portfolio. */
const PLACES: Record<string, string | null> = { A: 'ethereum', B: 'ethereum', C: 'base', hand: null }
const placeOf = (account: string) => PLACES[account] ?? null
const pairs = (transfers: readonly Transfer[]) =>
  matchTransfers(transfers.map(legOf), placeOf).map((match) => `${match.out.txId} > ${match.in.txId}`)

test('on one network, or with a manual portfolio, only equal amounts are an own transfer', () => {
  const sent = (milli: number, account: string, from = 'A') =>
    pairs([
      { account: from, minute: 0, milli: -1_000 },
      { account, minute: 5, milli },
    ])
  expect(sent(1_000, 'B')).toEqual(['tx0 > tx1'])
  expect(sent(999, 'B')).toEqual([])
  expect(sent(999, 'C')).toEqual(['tx0 > tx1'])
  expect(sent(1_000, 'hand')).toEqual(['tx0 > tx1'])
  expect(sent(999, 'hand')).toEqual([])
  expect(sent(999, 'C', 'hand')).toEqual([])
})

test('equal amounts match first, even if later; then the nearest amount, then the oldest departure', () => {
  const left = (minute: number, milli: number) => ({ account: 'A', minute, milli: -milli })
  const arrived = (minute: number, milli: number) => ({ account: 'C', minute, milli })
  expect(pairs([left(0, 1_000), arrived(10, 999), arrived(72 * 60, 1_000)])).toEqual(['tx0 > tx2'])
  expect(pairs([left(0, 1_005), left(1, 1_001), arrived(10, 1_000)])).toEqual(['tx1 > tx2'])
  expect(pairs([left(0, 1_001), left(1, 1_001), arrived(10, 1_000)])).toEqual(['tx0 > tx2'])
  expect(pairs([left(0, 1_001), left(1, 1_002), arrived(10, 1_000), arrived(11, 1_000)])).toEqual([
    'tx0 > tx2',
    'tx1 > tx3',
  ])
})

const transfers = fc.array(
  fc.record({
    account: fc.constantFrom('A', 'B', 'C', 'hand'),
    minute: fc.integer({ min: 0, max: 12 * 24 * 60 }),
    milli: fc.oneof(fc.integer({ min: -1_012, max: -996 }), fc.integer({ min: 988, max: 1_004 })),
  }),
  { minLength: 10, maxLength: 40 },
)

test('matches obey the limits, no possible match is left, and bridges never change equal matches', () => {
  let bridges = 0
  fc.assert(
    fc.property(transfers, (items) => {
      const legs = items.map(legOf)
      const found = matchTransfers(legs, placeOf)
      const used = found.flatMap((match) => [legKey(match.out), legKey(match.in)])
      expect(new Set(used).size).toBe(used.length)
      for (const match of found) expect(isOwn(match)).toBe(true)
      const free = legs.filter((leg) => !used.includes(legKey(leg)))
      for (const out of free) for (const arrival of free) expect(isOwn({ out, in: arrival })).toBe(false)

      const byHand = matchTransfers(legs, () => null)
      const equal = found.filter((match) => sign(matchFee(match)) === 0)
      expect(names(equal)).toEqual(names(byHand))
      bridges += found.length - equal.length
    }),
    { numRuns: RUNS },
  )
  expect(bridges).toBeGreaterThan(RUNS)
})

const names = (matches: readonly Match[]) =>
  matches.map((match) => `${legKey(match.out)} > ${legKey(match.in)}`).sort()

/** The rule for one match, implemented independently. */
function isOwn({ out, in: arrival }: Match): boolean {
  const [left, arrived] = [negate(out.quantity), arrival.quantity].map((amount) =>
    Number(formatDecimal(amount)),
  ) as [number, number]
  const travelMs = arrival.atMs - out.atMs
  if (left <= 0 || arrived <= 0 || out.account === arrival.account) return false
  if (travelMs < 0 || travelMs > 72 * HOUR_MS) return false
  if (compare(matchFee({ out, in: arrival }), decimal('0')) === 0) return true
  const places = [placeOf(out.account), placeOf(arrival.account)]
  const isElsewhere = !places.includes(null) && places[0] !== places[1]
  return isElsewhere && arrived < left && Math.round(arrived * 1e5) >= Math.round(left * 0.99e5)
}
