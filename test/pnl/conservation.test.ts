import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coinItem } from '../../db/pnl/lots/coin-item.ts'
import { type Move, NO_MOVES, sumMoves } from '../../db/pnl/lots/coin-state.ts'
import { foldLots, stateOf, totalProfit } from '../../db/pnl/lots/fold-lots.ts'
import { insertOpenings } from './engine/insert-openings.ts'
import { ledgerOf } from './engine/ledger.ts'
import { COST_METHODS } from '../../db/pnl/lots/lot-pool.ts'
import { matchTransfers } from '../../db/pnl/legs/match-transfers.ts'
import { createPriceBook } from '../../db/pnl/valuation/price-book.ts'
import type { PriceBook } from '../../db/pnl/valuation/price-book.ts'
import { scopePeriods } from './engine/scope-periods.ts'
import type { ScopePeriod } from './engine/scope-periods.ts'
import { scopePostings } from './engine/scope-postings.ts'
import { externalFlow } from '../../db/pnl/periods/flow-walk.ts'
import { legKey, matchFee } from '../../db/pnl/legs/leg.ts'
import type { Leg, Match } from '../../db/pnl/legs/leg.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { periodProfit } from '../../db/pnl/periods/period-profit.ts'
import {
  add,
  compare,
  decimal,
  divide,
  formatDecimal,
  fromRaw,
  multiply,
  negate,
  sign,
  subtract,
  sum,
  ZERO,
} from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { cutPoints, DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { runs } from '../setup/runs.ts'

const START_MS = Date.parse('2024-01-01')
const DAYS = 12
const END_MS = START_MS + DAYS * DAY_MS
const ACCOUNTS = ['exchange', 'ethereum', 'base']
const COINS = ['usd-coin', 'ethereum', 'bitcoin', 'late-coin', 'never-priced']
const RUNS = { numRuns: runs({ short: 500, long: 10_000 }) }

interface History {
  legs: Leg[]
  matches: Match[]
  prices: PriceBook
}

const quantity = fc.bigInt(1n, 10n ** 21n).map((raw) => fromRaw(raw, 18))
const instant = fc.integer({ min: 0, max: DAYS * 24 * 60 - 1 }).map((minute) => START_MS + minute * 60_000)
const account = fc.constantFrom(...ACCOUNTS)
const coin = fc.constantFrom(...COINS)
const fee = fc.option(fc.record({ coin, quantity: fc.bigInt(1n, 10n ** 17n).map((raw) => fromRaw(raw, 18)) }))

const event = fc.record({
  kind: fc.constantFrom('receive', 'send', 'trade', 'wrap', 'airdrop', 'fee', 'spam', 'move'),
  atMs: instant,
  account,
  other: account,
  coin,
  otherCoin: coin,
  quantity,
  otherQuantity: quantity,
  travelMs: fc.integer({ min: 1, max: 30 * HOUR_MS }),
  /** fee of a bridge, in thousandths of the amount */
  taken: fc.constantFrom(0n, 0n, 1n, 10n),
  fee,
})
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never

/** Events with hourly prices; `late-coin` gets its first price in the middle, `never-priced` gets none. */
const market = {
  walk: fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 60, maxLength: 60 }),
  lateHour: fc.integer({ min: 0, max: DAYS * 24 }),
}
const history = fc
  .record({ events: fc.array(event, { minLength: 1, maxLength: 40 }), ...market })
  .map(historyOf)

function historyOf(input: { events: readonly Event[]; walk: readonly number[]; lateHour: number }): History {
  const { events, walk, lateHour } = input
  const points = COINS.slice(0, 4).flatMap((coinId, index) =>
    Array.from({ length: DAYS * 24 + 1 }, (_, hour) => ({
      coinId,
      atMs: START_MS + hour * HOUR_MS,
      usd: fromRaw(BigInt(walk[(hour * 7 + index * 13) % walk.length]!), 6),
    })).filter((_, hour) => coinId !== 'late-coin' || hour >= lateHour),
  )
  const prices = createPriceBook(points)
  const matches: Match[] = []
  const legs = insertOpenings(events.flatMap((item, index) => legsOf(item, index, prices, matches)))
  return { legs, matches, prices }
}

function legsOf(item: Event, index: number, prices: PriceBook, matches: Match[]): Leg[] {
  let seq = 0
  const leg = (role: Role, coinId: string, amount: Decimal, from = item.account, atMs = item.atMs): Leg => ({
    account: from,
    txId: `tx${index}${atMs === item.atMs ? '' : ' arrival'}`,
    seq: seq++,
    atMs,
    role,
    coinId,
    quantity: amount,
    priceUsd: prices.at(coinId, atMs),
    isUnpriced: prices.at(coinId, atMs) === null,
  })
  const fees = item.fee ? [leg('fee', item.fee.coin, negate(item.fee.quantity))] : []
  const swap = (role: Role) =>
    item.coin === item.otherCoin
      ? []
      : [leg(role, item.coin, negate(item.quantity)), leg(role, item.otherCoin, item.otherQuantity)]
  switch (item.kind) {
    case 'receive':
      return [...fees, leg('transfer', item.coin, item.quantity)]
    case 'send':
      return [...fees, leg('transfer', item.coin, negate(item.quantity))]
    case 'trade':
    case 'wrap':
      return [...fees, ...swap(item.kind)]
    case 'airdrop':
    case 'spam':
      return [...fees, leg(item.kind, item.coin, item.quantity)]
    case 'move': {
      const arrivesMs = item.atMs + item.travelMs
      if (item.account === item.other || arrivesMs >= END_MS) return fees
      const out = leg('transfer', item.coin, negate(item.quantity))
      const arriving = multiply(item.quantity, fromRaw(1_000n - item.taken, 3))
      const arrival = leg('transfer', item.coin, arriving, item.other, arrivesMs)
      matches.push({ out, in: arrival })
      return [...fees, out, arrival]
    }
    default:
      return fees
  }
}

function periodsOf(
  input: History,
  accounts: string[],
  interval: 'hourly' | 'daily' | 'weekly' = 'daily',
): ScopePeriod[] {
  const ledger = ledgerOf({ ...input, accounts: new Set(accounts) })
  const cutsMs = cutPoints({ interval, fromMs: START_MS, toMs: END_MS })
  return scopePeriods({ ledger, prices: input.prices, fromMs: START_MS, cutsMs })
}

const profit = (periods: readonly ScopePeriod[]) =>
  sum(periods.map((period) => periodProfit(period).profitLoss))
const text = formatDecimal
const someAccounts = fc.subarray(ACCOUNTS, { minLength: 1 })

function entriesOf(input: History, accounts: string[]) {
  const ledger = ledgerOf({ ...input, accounts: new Set(accounts) })
  const rules = {
    isStable: (id: string) => id === 'usd-coin',
    trust: (id: string) => COINS.length - COINS.indexOf(id),
  }
  return scopePostings({ ledger, prices: input.prices, rules })
}

/** Allows for rounding, because cost is divided at 30 places. */
const TOLERANCE = decimal('1e-20')

function expectClose(one: Decimal, other: Decimal): void {
  const difference = subtract(one, other)
  const size = sign(difference) < 0 ? negate(difference) : difference
  expect(compare(size, TOLERANCE), `${text(one)} for ${text(other)}`).toBeLessThan(0)
}

const INTERVALS = [
  ['hourly', 'daily'],
  ['daily', 'weekly'],
] as const

test('law 1: the profits of fine periods add up to the profit of the coarse period', () => {
  fc.assert(
    fc.property(history, someAccounts, (input, accounts) => {
      for (const [fine, coarse] of INTERVALS) {
        const parts = periodsOf(input, accounts, fine)
        let afterMs = START_MS
        for (const whole of periodsOf(input, accounts, coarse)) {
          const inside = parts.filter((part) => part.endMs > afterMs && part.endMs <= whole.endMs)
          expect(text(profit(inside))).toBe(text(periodProfit(whole).profitLoss))
          afterMs = whole.endMs
        }
      }
    }),
    RUNS,
  )
})

test('law 2: the sum of profits equals the last value less all flows', () => {
  fc.assert(
    fc.property(history, someAccounts, (input, accounts) => {
      const periods = periodsOf(input, accounts)
      const flows = sum(periods.map((period) => period.flow))
      expect(text(profit(periods))).toBe(text(subtract(periods.at(-1)!.closing, flows)))
    }),
    RUNS,
  )
})

test.each(COST_METHODS)(
  'law 3, %s: realised plus unrealised profit of all coins equals the profit of the periods',
  (method) => {
    fc.assert(
      fc.property(history, someAccounts, (input, accounts) => {
        const coins = foldLots({ entries: entriesOf(input, accounts), method })
        const byCoins = totalProfit(coins, (id) => input.prices.at(id, END_MS))
        expectClose(byCoins, profit(periodsOf(input, accounts)))
      }),
      RUNS,
    )
  },
)

/** Two departures of one instant, found by seeds. Their ids sort before that of the arrival. */
const UNIT = fromRaw(1n, 18)
const one = (fields: Partial<Event>): Event => ({
  kind: 'receive',
  atMs: START_MS + 60_000,
  account: 'exchange',
  other: 'exchange',
  coin: 'usd-coin',
  otherCoin: 'usd-coin',
  quantity: UNIT,
  otherQuantity: UNIT,
  travelMs: 1,
  taken: 0n,
  fee: null,
  ...fields,
})
const send = one({ kind: 'send', fee: { coin: 'usd-coin', quantity: UNIT } })
test.each([
  ['1940249390, a receipt', one({ fee: { coin: 'ethereum', quantity: UNIT } })],
  ['-1898118848, a swap', one({ kind: 'trade', coin: 'bitcoin' })],
])('law 3, seed %s: what leaves at an instant takes the lots that came at it', (_, arrival) => {
  const events = [send, arrival, one({ coin: 'bitcoin', atMs: START_MS })]
  const input = historyOf({ events, walk: Array.from({ length: 60 }, (__, n) => 1 + n * n), lateHour: 0 })
  for (const method of COST_METHODS) {
    const coins = foldLots({ entries: entriesOf(input, ACCOUNTS), method })
    const profits = totalProfit(coins, (id) => input.prices.at(id, END_MS))
    expect(text(profits)).toBe(text(profit(periodsOf(input, ACCOUNTS))))
    expect([...coins.values()].map(({ uncovered }) => text(uncovered))).toEqual([...coins].map(() => '0'))
  }
})

test('law 3, seed 194203756: wraps of one instant that feed each other leave nothing', () => {
  const there = one({ kind: 'wrap', otherCoin: 'bitcoin' })
  const back = one({ kind: 'wrap', coin: 'bitcoin' })
  const input = historyOf({ events: [there, back], walk: Array(60).fill(1), lateHour: 0 })
  expect([...foldLots({ entries: entriesOf(input, ACCOUNTS), method: 'fifo' })]).toEqual([])
})

test.each(['bitcoin', 'ethereum'])('law 3 in %s: each flow counts at the rate of its instant', (unit) => {
  fc.assert(
    fc.property(history, fc.constantFrom(...COST_METHODS), (input, method) => {
      const unitUsd = (atMs: number) => input.prices.at(unit, atMs)!
      const entries = entriesOf(input, ACCOUNTS)
      const coins = foldLots({ entries, method, unitUsd })
      const byCoins = totalProfit(
        coins,
        (id) => {
          const usd = input.prices.at(id, END_MS)
          return usd && divide(usd, unitUsd(END_MS))
        },
        (usd) => divide(usd, unitUsd(END_MS)),
      )
      const ledger = ledgerOf({ ...input, accounts: new Set(ACCOUNTS) })
      const flows = ledger.transactions.map(({ legs }) => externalFlow(legs, ledger.isInternal))
      const firsts = entries.filter((entry) => entry.txId.startsWith('first price of'))
      for (const { atMs, postings } of firsts)
        for (const one of postings) if (one.kind === 'acquire') flows.push({ atMs, usd: one.costUsd })
      const inUnit = sum(flows.map((flow) => (flow ? divide(flow.usd, unitUsd(flow.atMs)) : ZERO)))
      const closing = periodsOf(input, ACCOUNTS).at(-1)!.closing
      expectClose(byCoins, subtract(divide(closing, unitUsd(END_MS)), inUnit))
    }),
    RUNS,
  )
})

test('law 3 for the last 24 hours: coins add up to the last day, except market differences of wraps', () => {
  const recentFromMs = END_MS - DAY_MS
  fc.assert(
    fc.property(history, someAccounts, (input, accounts) => {
      const entries = entriesOf(input, accounts)
      const moves: Move[] = []
      const onMove = (move: Move) => moves.push(move)
      const coins = foldLots({ entries, method: 'average', onMove })
      const recents = sumMoves(moves.filter(({ atMs }) => atMs >= recentFromMs))
      const priceAt = (id: string, atMs: number) => input.prices.at(id, atMs)
      const items = [...coins].map(([id, coin]) =>
        coinItem(stateOf(coin), {
          price: priceAt(id, END_MS),
          dayAgoPrice: priceAt(id, recentFromMs),
          recent: recents.get(id) ?? NO_MOVES,
        }),
      )
      const wrapped = entries
        .filter((entry) => entry.atMs >= recentFromMs)
        .flatMap(({ postings }) => postings.filter((one) => one.kind === 'carry'))
        .flatMap(({ from, to }) => [
          ...from.map((leg) => negate(leg.marketUsd)),
          ...to.map((leg) => leg.marketUsd),
        ])
      const byCoins = sum([...items.map((item) => item.profit.hour24), ...wrapped])
      expect(text(byCoins)).toBe(text(periodProfit(periodsOf(input, accounts).at(-1)!).profitLoss))
    }),
    RUNS,
  )
})

test('law 4: disjoint scopes add up to their union, except bridge fees and price changes in flight', () => {
  fc.assert(
    fc.property(history, (input) => {
      const parts = ACCOUNTS.map((name) => profit(periodsOf(input, [name])))
      const drift = sum(input.matches.map((match) => transferDrift(match)))
      expect(text(add(sum(parts), drift))).toBe(text(profit(periodsOf(input, ACCOUNTS))))
    }),
    RUNS,
  )
})

/** Gain of an own transfer between its legs, less the bridge fee. No single account contains it. */
function transferDrift(match: Match): Decimal {
  const { out, in: arrival } = match
  if (!out.priceUsd || !arrival.priceUsd) return ZERO
  const drift = multiply(arrival.quantity, subtract(arrival.priceUsd, out.priceUsd))
  return subtract(drift, multiply(matchFee(match), out.priceUsd))
}

test('law 5: shifting a transaction inside its period changes nothing unless it is a flow', () => {
  fc.assert(
    fc.property(history, instant, fc.nat(), (input, towardsMs, pick) => {
      const movable = [...Map.groupBy(input.legs, (leg) => leg.txId).values()].filter((legs) =>
        legs.every((leg) => leg.role !== 'transfer' && leg.role !== 'opening' && !leg.isUnpriced),
      )
      fc.pre(movable.length > 0)
      const moved = movable[pick % movable.length]!
      const dayMs = Math.floor(moved[0]!.atMs / DAY_MS) * DAY_MS
      const atMs = dayMs + (towardsMs % DAY_MS)
      fc.pre(moved.every((leg) => input.prices.first(leg.coinId)!.atMs <= dayMs))
      const legs = input.legs.map((leg) => (moved.includes(leg) ? { ...leg, atMs } : leg))
      expect(texts(periodsOf({ ...input, legs }, ACCOUNTS))).toEqual(texts(periodsOf(input, ACCOUNTS)))
    }),
    RUNS,
  )
})

const texts = (periods: ScopePeriod[]) =>
  periods.map((period) => [period.opening, period.closing, period.flow].map(text).join(' '))

test('law 6: the order of the input changes nothing', () => {
  fc.assert(
    fc.property(
      history.chain((input) =>
        fc.tuple(fc.constant(input), fc.shuffledSubarray(input.legs, { minLength: input.legs.length })),
      ),
      ([input, legs]) => {
        const shuffled = { ...input, legs }
        expect(texts(periodsOf(shuffled, ACCOUNTS))).toEqual(texts(periodsOf(input, ACCOUNTS)))
        const totals = (from: History) => {
          const entries = entriesOf(from, ACCOUNTS)
          return COST_METHODS.map((method) =>
            text(totalProfit(foldLots({ entries, method }), (id) => from.prices.at(id, END_MS))),
          )
        }
        expect(totals(shuffled)).toEqual(totals(input))
        const pairs = (list: Leg[]) =>
          matchTransfers(list).map((match) => `${legKey(match.out)} > ${legKey(match.in)}`)
        expect(pairs(legs)).toEqual(pairs(input.legs))
      },
    ),
    RUNS,
  )
})

const orders = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

const simultaneous = fc
  .tuple(instant, account, fc.array(event, { minLength: 2, maxLength: 4 }))
  .map(([atMs, at, events]) => events.map((item): Event => ({ ...item, atMs, account: at })))

test('law 6 for rows of one instant: in every order they give the same figures, which add up', () => {
  fc.assert(
    fc.property(
      fc.record({ before: fc.array(event, { maxLength: 8 }), together: simultaneous, ...market }),
      fc.constantFrom(...COST_METHODS),
      ({ before, together, ...prices }, method) => {
        const figures = orders(together).map((events) => {
          const input = historyOf({ events: [...before, ...events], ...prices })
          const periods = periodsOf(input, ACCOUNTS)
          const coins = foldLots({ entries: entriesOf(input, ACCOUNTS), method })
          expectClose(
            totalProfit(coins, (id) => input.prices.at(id, END_MS)),
            profit(periods),
          )
          const rows = [...coins].map(([id, { pool, disposedCost }]) =>
            [id, ...[pool.quantity(), pool.cost(), disposedCost].map(text)].join(' '),
          )
          return [...texts(periods), ...rows.sort()]
        })
        for (const other of figures) expect(other).toEqual(figures[0])
      },
    ),
    { numRuns: runs({ short: 100, long: 1_000 }) },
  )
})
