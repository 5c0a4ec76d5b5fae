import { externalFlow } from '../../db/pnl/external-flow.ts'
import type { Leg } from '../../db/pnl/leg.ts'
import { approximate } from '../../db/values/approximate.ts'
import { add, ZERO } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { HOUR_MS } from '../../db/values/periods.ts'
import type { PriceCube } from './price-cube.ts'

export interface HourlySeries {
  /** value in USD at each hour of the cube */
  valueUsd: Float64Array
  /** exact external flow in USD of the hour that starts there; hours without a flow are absent */
  flowUsd: Map<number, Decimal>
}

interface Holding {
  quantity: Decimal
  /** hour from which the quantity counts */
  sinceHour: number
}

/**
 * Values of an account at every hour of a price cube, in one pass over its transactions (in order; every coin priced).
 * Balances and flows are exact; only the product of balance and price is made of doubles, once for each coin and hour.
 */
export function hourlySeries(input: {
  cube: PriceCube
  transactions: Iterable<readonly Leg[]>
}): HourlySeries {
  const { cube } = input
  const valueUsd = new Float64Array(cube.hours)
  const flowUsd = new Map<number, Decimal>()
  const holdings = new Map<string, Holding>()

  const settle = (coinId: string, { quantity, sinceHour }: Holding, untilHour: number) => {
    const prices = quantity.coefficient === 0n ? undefined : cube.of(coinId)
    if (!prices) return
    const amount = approximate(quantity)
    for (let hour = sinceHour; hour < untilHour; hour++) valueUsd[hour]! += amount * prices[hour]!
  }
  for (const legs of input.transactions) {
    const startHour = Math.floor((legs[0]!.atMs - cube.fromMs) / HOUR_MS)
    // The value at an instant counts what happened before it, so a change shows from the next full hour on.
    const fromHour = Math.min(startHour + 1, cube.hours)
    for (const { coinId, quantity } of legs) {
      const holding = holdings.get(coinId)
      if (!holding) {
        holdings.set(coinId, { quantity, sinceHour: fromHour })
        continue
      }
      if (holding.sinceHour < fromHour) settle(coinId, holding, fromHour)
      holding.quantity = add(holding.quantity, quantity)
      holding.sinceHour = fromHour
    }
    const flow = externalFlow(legs, () => false)
    if (flow) flowUsd.set(startHour, add(flowUsd.get(startHour) ?? ZERO, flow.usd))
  }
  for (const [coinId, holding] of holdings) settle(coinId, holding, cube.hours)
  return { valueUsd, flowUsd }
}
