import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDayAmounts, type MonthAmounts } from '../../db/pnl/lots/day-amounts.ts'
import {
  createLotFold,
  type DatedPostings,
  foldLots,
  type LotUse,
  type UseSource,
} from '../../db/pnl/lots/fold-lots.ts'
import { coinsOf, type Posting } from '../../db/pnl/lots/posting.ts'
import { COST_METHODS, type CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import {
  add,
  decimal,
  divide,
  isZero,
  multiply,
  subtract,
  sum,
  toNumber,
  ZERO,
} from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { runs } from '../setup/runs.ts'

// Amounts by day give the figures of a currency without a fold of its own. The oracle is that fold.

const RUNS = runs({ short: 200, long: 1_000 })
const COINS = ['a', 'b', 'c']
const MONTH_DAYS = 30

/** USD for one unit of the currency, by day. Their inverses are exact. */
const UNIT_USD = ['0.5', '0.8', '1.25', '2', '0.625', '1']
const unitAt = (day: number): Decimal => decimal(UNIT_USD[(day * day + 3 * day) % UNIT_USD.length]!)
const rateAt = (day: number): Decimal => divide(decimal('1'), unitAt(day))

const amount = fc.bigInt(0n, 10n ** 24n).map((raw): Decimal => ({ coefficient: raw, scale: 18 }))
const quantity = fc.oneof(
  fc.bigInt(1n, 10n ** 22n).map((raw): Decimal => ({ coefficient: raw, scale: 18 })),
  // Nearly all of what is held, or nearly nothing.
  fc.constantFrom(decimal('0.000000000000000001'), decimal('9999.999999999999999999'), decimal('10000')),
)
const step = fc.record({
  kind: fc.constantFrom('acquire', 'acquire', 'acquire', 'dispose', 'dispose', 'carry'),
  coin: fc.constantFrom(...COINS),
  other: fc.constantFrom(...COINS),
  quantity,
  amount,
  hours: fc.integer({ min: 0, max: 200 }),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function entriesOf(steps: readonly Step[]): DatedPostings[] {
  let atMs = 0
  return steps.map(({ kind, coin: coinId, other, quantity: count, amount: usd, hours }, index) => {
    atMs += hours * HOUR_MS
    const common = { coinId, quantity: count, marketUsd: usd }
    const leg = (id: string) => ({ coinId: id, quantity: count, marketUsd: usd })
    const posting: Posting =
      kind === 'acquire'
        ? { kind, reason: 'receipt', ...common, costUsd: usd }
        : kind === 'dispose'
          ? { kind, reason: 'send', ...common, proceedsUsd: usd }
          : { kind: 'carry', from: [leg(coinId)], to: [leg(other), leg(COINS[0]!)] }
    return { txId: String(index), atMs, postings: [posting] }
  })
}

/** Folds in USD and returns the amounts by day of each month. Each month goes on from the sums of those before. */
function amountsByDay(entries: readonly DatedPostings[], method: CostMethod) {
  const fold = createLotFold({
    method,
    onLots: (use: LotUse, { atMs }: UseSource) => amounts.note(use, atMs),
  })
  const months: MonthAmounts[] = []
  const start = () =>
    createDayAmounts({
      method,
      quantityOf: (coinId) => fold.coins.get(coinId)?.pool.quantity() ?? ZERO,
      heldOf: new Map(months.map(({ coinId, held }) => [coinId, held])),
    })
  let amounts = start()
  let before: readonly MonthAmounts[] = []
  const touched = new Set<string>()
  const end = () => {
    months.push(...[...touched].map((coinId) => amounts.endMonth(coinId)))
    touched.clear()
    before = [...months]
    amounts = start()
  }
  let month = 0
  for (const entry of entries) {
    const own = Math.floor(entry.atMs / DAY_MS / MONTH_DAYS)
    if (own !== month) end()
    month = own
    for (const coinId of entry.postings.flatMap(coinsOf)) touched.add(coinId)
    for (const coinId of amounts.missingFor(entry.postings))
      amounts.load(coinId, sumsOf(before, coinId)!.stored)
    fold.apply(entry)
  }
  end()
  return { months, coins: fold.coins }
}

function sumsOf(months: readonly MonthAmounts[], coinId: string) {
  const own = months.filter((month) => month.coinId === coinId)
  const held = own.at(-1)?.held
  if (!held) return undefined
  const stored = new Map<number, Decimal>()
  for (const { day, amounts } of own.flatMap(({ days }) => days))
    stored.set(day, add(stored.get(day) ?? ZERO, amounts.cost))
  for (const [day, cost] of stored) if (isZero(cost)) stored.delete(day)
  const total = (name: 'acquired' | 'disposed', weight: (day: number) => Decimal) =>
    sum(own.flatMap(({ days }) => days.map(({ day, amounts }) => multiply(amounts[name], weight(day)))))
  const cost = (weight: (day: number) => Decimal) =>
    multiply(held, sum([...stored].map(([day, one]) => multiply(one, weight(day)))))
  return { held, stored, total, cost }
}

const expectClose = (found: Decimal, expected: Decimal) =>
  expect(Math.abs(toNumber(subtract(found, expected)))).toBeLessThan(1e-15)

test.each(COST_METHODS)('%s: amounts by day at their rates equal a fold in the currency', (method) => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), (steps) => {
      const entries = entriesOf(steps)
      const { months, coins } = amountsByDay(entries, method)
      const unitUsd = (atMs: number) => unitAt(Math.floor(atMs / DAY_MS))
      const own = foldLots({ entries, method, unitUsd })
      for (const [coinId, coin] of own) {
        const { total, cost } = sumsOf(months, coinId)!
        expectClose(total('acquired', rateAt), coin.acquired.amount)
        expectClose(total('disposed', rateAt), coin.disposed.amount)
        expectClose(
          cost(() => decimal('1')),
          coins.get(coinId)!.pool.cost(),
        )
        // With `hifo` the order of lots is that of USD in every fiat currency.
        if (method !== 'hifo') expectClose(cost(rateAt), coin.pool.cost())
      }
    }),
    { numRuns: RUNS },
  )
})

test('average: costs keep few digits when nearly all is sold and bought again', () => {
  const days = Array.from({ length: 400 }, (_, day) => day)
  const entries = days.flatMap((day): DatedPostings[] =>
    (['acquire', 'dispose'] as const).map((kind) => {
      const common = { coinId: 'a', reason: 'trade' as const, quantity: decimal('10000'), marketUsd: ZERO }
      const usd = decimal(String(1_000 + day))
      const posting: Posting =
        kind === 'acquire'
          ? { kind, ...common, costUsd: usd }
          : { kind, ...common, quantity: decimal('9999.999999999999999999'), proceedsUsd: usd }
      return { txId: `${kind} ${day}`, atMs: day * DAY_MS, postings: [posting] }
    }),
  )
  const { months, coins } = amountsByDay(entries, 'average')
  const { stored, cost } = sumsOf(months, 'a')!
  expect(stored.size).toBeLessThan(10)
  expect(Math.max(...[...stored.values()].map(({ coefficient }) => String(coefficient).length))).toBeLessThan(
    80,
  )
  expectClose(
    cost(() => decimal('1')),
    coins.get('a')!.pool.cost(),
  )
})
