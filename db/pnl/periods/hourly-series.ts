import { externalFlow } from './flow-walk.ts'
import type { Leg } from '../legs/leg.ts'
import { approximate } from '../../values/approximate.ts'
import { add, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { HOUR_MS } from '../../values/periods.ts'
import type { PriceCube } from './price-cube.ts'

export interface HourlySeries {
  /** value in USD at each hour of the cube */
  valueUsd: Float64Array
  /** exact flow in USD by the index of the hour; hours without a flow are absent */
  flowUsd: Map<number, Decimal>
}

/** Balances of one coin: each amount holds from its hour to the next entry. */
interface Holding {
  quantity: Decimal
  hours: number[]
  amounts: number[]
}

/**
 * Values of an account at every hour of a price cube (transactions in order; every coin priced). Balances and
 * flows are exact; only the product of balance and price uses doubles, once for each coin and hour. Goes coin
 * by coin, so that a column of prices stays in the processor's cache: a third less time than all coins hour
 * by hour.
 */
export function hourlySeries(input: {
  cube: PriceCube
  transactions: Iterable<readonly Leg[]>
}): HourlySeries {
  const { cube } = input
  const flowUsd = new Map<number, Decimal>()
  const holdings = new Map<string, Holding>()
  for (const legs of input.transactions) {
    const hour = Math.floor((legs[0]!.atMs - cube.fromMs) / HOUR_MS)
    for (const { coinId, quantity } of legs) {
      let holding = holdings.get(coinId)
      if (!holding) holdings.set(coinId, (holding = { quantity: ZERO, hours: [], amounts: [] }))
      holding.quantity = add(holding.quantity, quantity)
      // A value counts only earlier transactions, so a change shows from the next full hour on.
      if (holding.hours.at(-1) !== hour + 1) holding.hours.push(hour + 1)
      holding.amounts[holding.hours.length - 1] = approximate(holding.quantity)
    }
    const flow = externalFlow(legs, () => false)
    if (flow) flowUsd.set(hour, add(flowUsd.get(hour) ?? ZERO, flow.usd))
  }
  const valueUsd = new Float64Array(cube.hours)
  for (const [coinId, holding] of holdings) {
    const prices = cube.of(coinId)
    if (prices) addWorth(valueUsd, prices, holding)
  }
  return { valueUsd, flowUsd }
}

function addWorth(valueUsd: Float64Array, prices: Float64Array, { hours, amounts }: Holding): void {
  for (let change = 0; change < hours.length; change++) {
    const amount = amounts[change]!
    const until = Math.min(hours[change + 1] ?? valueUsd.length, valueUsd.length)
    for (let hour = hours[change]!; hour < until; hour++) valueUsd[hour]! += amount * prices[hour]!
  }
}
