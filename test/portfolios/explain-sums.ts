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
import type { Decimal } from '../../db/values/decimal.ts'

// Checks that the explanation of a point adds up, from its decimal texts alone.

const text = formatDecimal
const total = (items: any[], pick: (item: any) => string) =>
  text(sum(items.map((item) => decimal(pick(item)))))
export const value = (item: { value: string }) => item.value
const valueUsd = (item: { valueUsd: string }) => item.valueUsd

/** Converts an amount in USD by the given rate. */
function byRate(item: { valueUsd: string }, rate: any, currency: string): Decimal {
  const usd = decimal(item.valueUsd)
  if (currency === 'USD') return usd
  if (rate === null) return decimal('0')
  return rate.unitUsd ? divide(usd, decimal(rate.unitUsd)) : multiply(usd, decimal(rate.perUsd))
}

const product = ({ count, price }: { count: string; price: { usd: string } }) =>
  text(multiply(decimal(count), decimal(price.usd)))

function expectEnd(end: any, currency: string): void {
  const { ledgers, positions, inFlight } = end
  expect(total([...ledgers, ...inFlight.items], value)).toBe(end.value)
  expect(total([...ledgers, ...inFlight.items], valueUsd)).toBe(end.valueUsd)
  for (const one of [...positions.items, ...inFlight.items])
    if (one.price) expect(product(one)).toBe(one.valueUsd)
  for (const one of [...ledgers, ...inFlight.items])
    expect(text(byRate(one, end.rate, currency))).toBe(one.value)
  expect([positions.items.length, inFlight.items.length]).toEqual([positions.count, inFlight.count])
  for (const { ledger, valueUsd: of } of ledgers) {
    const own = positions.items.filter((one: any) => one.ledger === ledger)
    expect(total(own, valueUsd)).toBe(of)
  }
  for (const { price } of [...positions.items, ...inFlight.items])
    if (price) expect(Date.parse(price.at)).toBeLessThanOrEqual(Date.parse(end.at))
}

/** Needs all items on one page, and the flows of the whole period. */
export function expectPoint(body: any, point: { date: string; profitLoss: number }): void {
  const { figure, currency, start, end, flows } = body
  expect({ date: figure.date, ...figure.shown }).toEqual(point)
  expectEnd(start, currency)
  expectEnd(end, currency)
  const change = subtract(decimal(end.value), decimal(start.value))
  expect(text(add(change, negate(decimal(flows.value))))).toBe(figure.profitLoss)
  expect(Number(figure.profitLoss)).toBe(point.profitLoss)
  expect(total(flows.months, value)).toBe(flows.value)
  expect(flows.items).toHaveLength(flows.count)
  expect(total(flows.items, value)).toBe(flows.value)
  for (const flow of flows.items) {
    expect(total(flow.terms, valueUsd)).toBe(flow.valueUsd)
    expect(text(byRate(flow, flow.rate, currency))).toBe(flow.value)
    for (const term of flow.terms) if (term.price) expect(product(term)).toBe(term.valueUsd)
    expect(Date.parse(flow.at)).toBeGreaterThanOrEqual(Date.parse(figure.from))
    expect(Date.parse(flow.at)).toBeLessThan(Date.parse(figure.date))
  }
}
