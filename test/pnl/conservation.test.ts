import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldLots, totalProfit } from '../../activities/pnl/fold-lots.ts'
import { insertOpenings } from '../../activities/pnl/insert-openings.ts'
import { ledgerOf } from '../../activities/pnl/ledger.ts'
import { COST_METHODS } from '../../activities/pnl/lot-pool.ts'
import { createPriceBook } from '../../db/pnl/price-book.ts'
import type { PriceBook } from '../../db/pnl/price-book.ts'
import { scopePeriods } from '../../activities/pnl/scope-periods.ts'
import type { ScopePeriod } from '../../activities/pnl/scope-periods.ts'
import { scopePostings } from '../../activities/pnl/scope-postings.ts'
import type { Leg, Match, Role } from '../../db/pnl/leg.ts'
import { periodProfit } from '../../db/pnl/period-profit.ts'
import {
  add,
  compare,
  decimal,
  formatDecimal,
  fromRaw,
  multiply,
  negate,
  sign,
  subtract,
  sum,
} from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { cutPoints, DAY_MS, HOUR_MS } from '../../db/values/periods.ts'

const START_MS = Date.parse('2024-01-01')
const DAYS = 12
const END_MS = START_MS + DAYS * DAY_MS
const ACCOUNTS = ['exchange', 'ethereum', 'base']
const COINS = ['usd-coin', 'ethereum', 'bitcoin', 'late-coin', 'never-priced']
const RUNS = { numRuns: 500 }

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
  fee,
})
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never

/** Hourly prices; `late-coin` gets its first price in the middle, `never-priced` none. */
const history = fc
  .record({
    events: fc.array(event, { minLength: 1, maxLength: 40 }),
    walk: fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 60, maxLength: 60 }),
    lateHour: fc.integer({ min: 0, max: DAYS * 24 }),
  })
  .map(({ events, walk, lateHour }): History => {
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
  })

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
      const arrival = leg('transfer', item.coin, item.quantity, item.other, arrivesMs)
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

test('law 1: the profits of fine periods add up to the coarse one', () => {
  fc.assert(
    fc.property(history, (input) => {
      const daily = periodsOf(input, ACCOUNTS)
      for (const week of periodsOf(input, ACCOUNTS, 'weekly')) {
        const fromMs = week.endMs - 7 * DAY_MS
        const inside = daily.filter(
          (day) => day.endMs > Math.max(fromMs, weekStart(week.endMs)) && day.endMs <= week.endMs,
        )
        expect(text(profit(inside))).toBe(text(periodProfit(week).profitLoss))
      }
    }),
    RUNS,
  )
})

const weekStart = (endMs: number) => {
  const cuts = [START_MS, ...cutPoints({ interval: 'weekly', fromMs: START_MS, toMs: END_MS })]
  return cuts[cuts.indexOf(endMs) - 1]!
}

test('law 2: all profits are the last value less all flows', () => {
  fc.assert(
    fc.property(history, (input) => {
      const periods = periodsOf(input, ACCOUNTS)
      const flows = sum(periods.map((period) => period.flow))
      expect(text(profit(periods))).toBe(text(subtract(periods.at(-1)!.closing, flows)))
    }),
    RUNS,
  )
})

const TOLERANCE = decimal('0.00000000000000000001')

test('law 3: what is realised and unrealised over all coins is the profit of the periods, for every method', () => {
  fc.assert(
    fc.property(
      history,
      fc.constantFrom(...COST_METHODS),
      fc.subarray(ACCOUNTS, { minLength: 1 }),
      (input, method, accounts) => {
        const ledger = ledgerOf({ ...input, accounts: new Set(accounts) })
        const rules = {
          isStable: (id: string) => id === 'usd-coin',
          trust: (id: string) => COINS.length - COINS.indexOf(id),
        }
        const entries = scopePostings({ ledger, prices: input.prices, rules })
        const coins = foldLots({ entries, method, recentFromMs: Infinity })
        const byCoins = totalProfit(coins, (id) => input.prices.at(id, END_MS))
        const difference = subtract(byCoins, profit(periodsOf(input, accounts)))
        expect(compare(sign(difference) < 0 ? negate(difference) : difference, TOLERANCE)).toBeLessThan(0)
      },
    ),
    RUNS,
  )
})

test('law 4: disjoint scopes add up to their union, but for the price drift of what is in flight', () => {
  fc.assert(
    fc.property(history, (input) => {
      const parts = ACCOUNTS.map((name) => profit(periodsOf(input, [name])))
      const drift = sum(input.matches.map((match) => transferDrift(match, input.prices)))
      expect(text(add(sum(parts), drift))).toBe(text(profit(periodsOf(input, ACCOUNTS))))
    }),
    RUNS,
  )
})

/** What an own transfer gained between its two legs, which no single account sees. */
function transferDrift({ out, in: arrival }: Match, prices: PriceBook): Decimal {
  const first = prices.first(out.coinId)
  const left = out.priceUsd ?? (first && first.atMs <= arrival.atMs ? first.usd : null)
  return left && arrival.priceUsd
    ? multiply(arrival.quantity, subtract(arrival.priceUsd, left))
    : decimal('0')
}

test('law 5: shifting a transaction inside its period changes nothing unless it is a flow', () => {
  fc.assert(
    fc.property(history, instant, fc.nat(), (input, towardsMs, pick) => {
      const movable = [...Map.groupBy(input.legs, (leg) => leg.txId).values()].filter((legs) =>
        legs.every((leg) => leg.role !== 'transfer' && leg.role !== 'opening' && leg.priceUsd !== null),
      )
      if (movable.length === 0) return
      const moved = movable[pick % movable.length]!
      const dayMs = Math.floor(moved[0]!.atMs / DAY_MS) * DAY_MS
      const atMs = dayMs + (towardsMs % DAY_MS)
      if (moved.some((leg) => (input.prices.first(leg.coinId)?.atMs ?? Infinity) > dayMs)) return
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
        const rules = { isStable: (id: string) => id === 'usd-coin', trust: () => 0 }
        const total = (from: History) => {
          const ledger = ledgerOf({ ...from, accounts: new Set(ACCOUNTS) })
          const entries = scopePostings({ ledger, prices: from.prices, rules })
          return text(
            totalProfit(foldLots({ entries, method: 'hifo', recentFromMs: 0 }), (id) =>
              from.prices.at(id, END_MS),
            ),
          )
        }
        expect(total(shuffled)).toBe(total(input))
      },
    ),
    RUNS,
  )
})
