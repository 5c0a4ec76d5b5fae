import { add, isZero, multiply, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import type { Leg } from '../legs/leg.ts'
import { isSwap, meaningOf } from '../legs/roles.ts'

export interface Flow {
  atMs: number
  /** positive into the scope, negative out of it */
  usd: Decimal
}

/**
 * Returns the flow of one transaction, in USD at its own instant; null if it has none.
 *
 * A coin that never had a price is outside the scope: a swap or wrap with such a leg makes the value of its
 * other legs a flow, so that no profit is invented. `isInternal` tells which legs belong to own transfers of
 * the scope; `onTerm` gets each leg of the flow.
 */
export function externalFlow(
  legs: readonly Leg[],
  isInternal: (leg: Leg) => boolean,
  onTerm?: (leg: Leg, usd: Decimal) => void,
): Flow | null {
  const swapsCross = hasUnmeasuredSwap(legs)
  let usd: Decimal | null = null
  for (const leg of legs) {
    const { priceUsd } = leg
    const { flow } = meaningOf(leg)
    const crosses =
      flow === 'always' ||
      (flow === 'unless own' && !isInternal(leg)) ||
      (flow === 'if unpriced' && swapsCross)
    if (!crosses || priceUsd === null) continue
    const worth = multiply(leg.quantity, priceUsd)
    usd = usd === null ? worth : add(usd, worth)
    onTerm?.(leg, worth)
  }
  return usd && { atMs: legs[0]!.atMs, usd }
}

/** Ignores a coin without a price that a route only passes through. */
function hasUnmeasuredSwap(legs: readonly Leg[]): boolean {
  let net: Map<string, Decimal> | null = null
  for (const leg of legs) {
    const { priceUsd, coinId, quantity } = leg
    if (priceUsd !== null || !isSwap(leg)) continue
    net ??= new Map()
    net.set(coinId, add(net.get(coinId) ?? ZERO, quantity))
  }
  return net !== null && [...net.values()].some((quantity) => !isZero(quantity))
}
