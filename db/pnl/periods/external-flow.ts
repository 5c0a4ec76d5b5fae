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
 * Value that one transaction moves across the border of the measured scope, in USD at its own instant; null if none.
 *
 * A coin that never had a price is outside of what is measured: a swap or wrap that also has such a leg moves
 * the worth of its measured legs across the border, so that no profit is invented.
 * `isInternal` says which transfer legs end in another account of the same scope; `onTerm` is told each leg that crosses.
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

/** A coin without a price that a route only passes through does not count. */
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
