import { expect } from 'vitest'
import {
  add,
  decimal,
  divide,
  formatDecimal,
  multiply,
  negate,
  subtract,
  sum,
} from '../../db/values/decimal.ts'

// Checks that the explanation of a coin adds up, from its decimal texts alone.

const UNITS = ['USD', 'BTC', 'ETH'] as const
const text = formatDecimal
const total = (items: any[], pick: (item: any) => string) =>
  text(sum(items.map((item) => decimal(pick(item)))))
const minus = (a: string, b: string) => text(subtract(decimal(a), decimal(b)))
const plus = (a: string, b: string) => text(add(decimal(a), decimal(b)))
const times = (a: string, b: string) => text(multiply(decimal(a), decimal(b)))
/** Whether the amount came in. */
const isIn = ({ count }: { count: string }) => !/^(-|0$)/.test(count)

/** Converts USD by the given price of BTC or ETH; 0 without one. */
const inUnit = (usd: string, unit: string, units: any): string => {
  if (unit === 'USD') return text(decimal(usd))
  return units[unit] ? text(divide(decimal(usd), decimal(units[unit].usd))) : '0'
}

/** Needs all items on one page. */
export function expectCoin(body: any, shown: any): void {
  const { figure, totals, months, openLots, hour24, prices, units } = body
  const { shown: row, count } = figure
  expect(row).toEqual(shown)
  expect([months.items.length, hour24.moves.items.length]).toEqual([months.count, hour24.moves.count])
  for (const name of ['count', 'uncovered', 'unvalued', 'paidUsd'])
    expect(total(months.items, (one) => one[name])).toBe(totals[name])
  for (const name of ['acquired', 'disposed', 'sold', 'carried'])
    expect(total(months.items, (one) => one[name].count)).toBe(totals[name].count)
  expect(plus(totals.count, totals.unvalued)).toBe(count)
  expect(row.isPriced).toBe(prices.now !== null)
  expect(Number(count)).toBe(row.count)
  for (const unit of UNITS) {
    for (const name of ['acquired', 'disposed', 'sold', 'carried'])
      expect(total(months.items, (one) => one[name].amount[unit])).toBe(totals[name].amount[unit])
    for (const name of ['cost', 'disposedCost'])
      expect(total(months.items, (one) => one[name][unit])).toBe(totals[name][unit])
    const { profit, price, value, totalCost } = figure
    expect(price[unit]).toBe(inUnit(prices.now?.usd ?? '0', unit, units.now))
    expect(value[unit]).toBe(prices.now ? times(count, price[unit]) : inUnit(totals.paidUsd, unit, units.now))
    expect(totalCost[unit]).toBe(totals.cost[unit])
    expect(profit.unrealized[unit]).toBe(minus(value[unit], totalCost[unit]))
    expect(profit.realized[unit]).toBe(minus(totals.disposed.amount[unit], totals.disposedCost[unit]))
    expect(profit.allTime[unit]).toBe(plus(profit.realized[unit], profit.unrealized[unit]))
    for (const name of Object.keys(profit)) expect(Number(profit[name][unit])).toBe(row.profit[name][unit])
    expect(Number(figure.profitPercent.allTime[unit])).toBe(row.profitPercent.allTime[unit])

    expect(openLots[unit].items).toHaveLength(openLots[unit].count)
    expect(total(openLots[unit].items, (lot) => lot.cost)).toBe(totalCost[unit])
    expect(total(openLots[unit].items, (lot) => lot.count)).toBe(totals.count)

    const { dayAgo, acquired, disposed, moves } = hour24
    const marketOf = (of: any[]) => total(of, ({ market }) => market[unit])
    expect(marketOf(moves.items.filter(isIn))).toBe(acquired[unit])
    expect(marketOf(moves.items.filter((one: any) => !isIn(one)))).toBe(disposed[unit])
    expect(
      minus(
        count,
        total(moves.items, (one) => one.count),
      ),
    ).toBe(dayAgo.count)
    const paidDayAgo = minus(
      totals.paidUsd,
      total(moves.items, (one) => one.paidUsd),
    )
    expect(dayAgo.value[unit]).toBe(
      prices.dayAgo
        ? times(dayAgo.count, inUnit(prices.dayAgo.usd, unit, units.dayAgo))
        : inUnit(paidDayAgo, unit, units.dayAgo),
    )
    const grown = minus(minus(value[unit], dayAgo.value[unit]), acquired[unit])
    expect(profit.hour24[unit]).toBe(plus(grown, disposed[unit]))
  }
}

/** Checks the entries of a month against the sums of the month. */
export function expectEntries(body: any, month: any): void {
  const { count, items } = body.entries
  expect(items).toHaveLength(count)
  const of = (kind: string) => items.filter((item: any) => item.kind === kind)
  const sumOf = (kind: string, pick: (item: any) => string) => total(of(kind), pick)
  const countOf = (kind: string) => sumOf(kind, (item) => item.count)
  expect(countOf('acquire')).toBe(month.acquired.count)
  expect(countOf('dispose')).toBe(month.disposed.count)
  expect(total(items, ({ uncovered }) => uncovered)).toBe(month.uncovered)
  const isSold = ({ kind, reason }: any) => kind === 'dispose' && (reason === 'trade' || reason === 'send')
  expect(total(items.filter(isSold), (item) => item.count)).toBe(month.sold.count)
  for (const unit of UNITS) {
    expect(sumOf('acquire', ({ amount }) => amount[unit])).toBe(month.acquired.amount[unit])
    expect(sumOf('dispose', ({ amount }) => amount[unit])).toBe(month.disposed.amount[unit])
    expect(sumOf('dispose', ({ cost }) => cost[unit])).toBe(month.disposedCost[unit])
    expect(total(items.filter(isSold), ({ amount }) => amount[unit])).toBe(month.sold.amount[unit])
    const carriedOf = (kind: string) => sumOf(kind, ({ cost }) => cost[unit])
    expect(minus(carriedOf('carry in'), carriedOf('carry out'))).toBe(month.carried.amount[unit])
    for (const item of items) {
      expect(item.amount[unit]).toBe(inUnit(item.amount.USD, unit, item.units))
      expect(total(item.lots[unit].items, ({ cost }) => cost)).toBe(item.cost[unit])
      // An uncovered amount is in no lot.
      const held =
        item.kind === 'carry in' || item.kind === 'acquire' ? item.count : minus(item.count, item.uncovered)
      expect(total(item.lots[unit].items, (lot) => lot.count)).toBe(held)
    }
    const inOut = (kinds: string[], pick: (item: any) => string) =>
      sum(kinds.flatMap(of).map((item: any) => decimal(pick(item))))
    const cost = inOut(['acquire', 'carry in'], (item) => item.cost[unit])
    expect(text(add(cost, negate(inOut(['dispose', 'carry out'], (item) => item.cost[unit]))))).toBe(
      month.cost[unit],
    )
  }
  for (const { legs, ledger } of items) expect(legs.length > 0).toBe(ledger !== null)
}
