import {
  add,
  compare,
  type Decimal,
  decimal,
  multiply,
  negate,
  sign,
  subtract,
  sum,
} from '../../values/decimal.ts'
import { percentOf } from './coin-item.ts'
import type { DaySums } from './day-rows.ts'
import type { CoinRow } from './read-coins.ts'

const PARTS = ['unrealized', 'realized', 'allTime'] as const
type ByPart = Record<(typeof PARTS)[number], Decimal>

/** Sums over the coins of a fold, in one currency. A percentage with base 0 is 0. */
export interface Totals {
  value: Decimal
  cost: Decimal
  profit: ByPart
  profitPercent: ByPart
}

type Sums = Omit<DaySums, 'atMs'> & { value: Decimal }

/** More than the rounding of costs by day. */
const ROUNDING = decimal('1e-9')

/**
 * Totals in a fiat currency: the value at the rate of now, every other amount at that of its own day. `rateAt`: units
 * of the currency for one USD. Null: the days are of another run of the fold than the rows.
 */
export function fiatTotals(input: {
  rows: readonly CoinRow[]
  days: readonly DaySums[]
  nowMs: number
  rateAt: (atMs: number) => Decimal
}): Totals | null {
  const { days, nowMs, rateAt } = input
  const usd = usdSums(input.rows)
  const total = (
    name: 'acquired' | 'disposed' | 'cost',
    of: (day: DaySums) => Decimal = (day) => day[name],
  ) => sum(days.map(of))
  const rest = subtract(usd.cost, total('cost'))
  const isOther =
    compare(total('acquired'), usd.acquired) !== 0 ||
    compare(total('disposed'), usd.disposed) !== 0 ||
    compare(sign(rest) < 0 ? negate(rest) : rest, ROUNDING) > 0
  if (isOther) return null
  const inCurrency = (name: 'acquired' | 'disposed' | 'cost') =>
    sum(days.map((day) => multiply(day[name], rateAt(day.atMs))))
  return totalsOf({
    value: multiply(usd.value, rateAt(nowMs)),
    acquired: inCurrency('acquired'),
    disposed: inCurrency('disposed'),
    cost: add(inCurrency('cost'), multiply(rest, rateAt(days.at(-1)?.atMs ?? nowMs))),
  })
}

/** Totals with one rate for all amounts: for an instant of which no amounts by day are kept. */
export function totalsAtOneRate({ rows, rate }: { rows: readonly CoinRow[]; rate: Decimal }): Totals {
  const { value, acquired, disposed, cost } = usdSums(rows)
  const by = (amount: Decimal) => multiply(amount, rate)
  return totalsOf({ value: by(value), acquired: by(acquired), disposed: by(disposed), cost: by(cost) })
}

function usdSums(rows: readonly CoinRow[]): Sums {
  const total = (of: (row: CoinRow) => Decimal) => sum(rows.map(of))
  return {
    value: total(({ item }) => item.usd.value),
    acquired: total(({ state }) => state.usd.acquired.amount),
    disposed: total(({ state }) => state.usd.disposed.amount),
    cost: total(({ state }) => state.usd.cost),
  }
}

/** What was acquired is held or was disposed of: wraps move cost between coins only. */
function totalsOf({ value, acquired, disposed, cost }: Sums): Totals {
  const disposedCost = subtract(acquired, cost)
  const profit = {
    unrealized: subtract(value, cost),
    realized: subtract(disposed, disposedCost),
    allTime: subtract(add(value, disposed), acquired),
  }
  return {
    value,
    cost,
    profit,
    profitPercent: {
      unrealized: percentOf(profit.unrealized, cost),
      realized: percentOf(profit.realized, disposedCost),
      allTime: percentOf(profit.allTime, acquired),
    },
  }
}
