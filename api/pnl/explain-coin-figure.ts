import type { z } from 'zod'
import type { CoinItem } from '../../db/pnl/lots/coin-item.ts'
import type { CoinMonth, MonthChange } from '../../db/pnl/lots/coin-months.ts'
import type { CoinState, Totals } from '../../db/pnl/lots/coin-state.ts'
import { type InUnits, inUnits } from '../../db/pnl/lots/fold-rows.ts'
import type { CoinRow } from '../../db/pnl/lots/read-coins.ts'
import { type Decimal, sum } from '../../db/values/decimal.ts'
import type { coinSchema } from './explain-coin-schema.ts'
import { text, triple } from './explain-entries.ts'

type Explained = z.output<typeof coinSchema>

/** Adds the carried totals to a state. They are not stored, so they are summed over the months. */
export function wholeOf(
  state: CoinState,
  months: readonly CoinMonth[],
  unit: keyof InUnits<unknown>,
): MonthChange {
  const carried = {
    quantity: sum(months.map(({ change }) => change[unit].carried.quantity)),
    amount: sum(months.map(({ change }) => change[unit].carried.amount)),
  }
  return { ...state, carried }
}

export function figureOf({ item }: CoinRow) {
  const keys = (name: 'profit' | 'base' | 'profitPercent' | 'averageBuy' | 'averageSell') => {
    const of = (key: keyof CoinItem['profit']) => triple(inUnits((unit) => item[unit][name][key]))
    return {
      allTime: of('allTime'),
      hour24: of('hour24'),
      lastTrade: of('lastTrade'),
      unrealized: of('unrealized'),
      realized: of('realized'),
    }
  }
  const of = (pick: (one: CoinItem) => Decimal) => triple(inUnits((unit) => pick(item[unit])))
  return {
    count: text(item.usd.count),
    price: of(({ price }) => price),
    value: of(({ value }) => value),
    totalCost: of(({ totalCost }) => totalCost),
    profit: keys('profit'),
    base: keys('base'),
    profitPercent: keys('profitPercent'),
    averageBuy: keys('averageBuy'),
    averageSell: keys('averageSell'),
  }
}

export function shownChange(change: InUnits<MonthChange>): Explained['totals'] {
  const counted = (name: 'acquired' | 'disposed' | 'sold' | 'carried') =>
    shownTotals(inUnits((unit) => change[unit][name]))
  return {
    count: text(change.usd.quantity),
    cost: triple(inUnits((unit) => change[unit].cost)),
    acquired: counted('acquired'),
    disposed: counted('disposed'),
    sold: counted('sold'),
    disposedCost: triple(inUnits((unit) => change[unit].disposedCost)),
    carried: counted('carried'),
    uncovered: text(change.usd.uncovered),
    unvalued: text(change.usd.unvalued),
    paidUsd: text(change.usd.paid),
  }
}

export const shownTotals = (totals: InUnits<Totals>) => ({
  count: text(totals.usd.quantity),
  amount: triple(inUnits((unit) => totals[unit].amount)),
})

export function lastTradeOf(state: CoinRow['state']): Explained['lastTrade'] {
  const last = state.usd.lastTrade
  if (!last) return null
  const amount = triple(inUnits((unit) => state[unit].lastTrade!.amount))
  return { side: last.side, count: text(last.quantity), amount }
}
