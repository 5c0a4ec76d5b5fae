import { add, multiply, ZERO } from '../values/decimal.ts'
import type { Decimal } from '../values/decimal.ts'
import type { Leg } from './leg.ts'

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
 * `isInternal` says which transfer legs end in another account of the same scope.
 */
export function externalFlow(legs: readonly Leg[], isInternal: (leg: Leg) => boolean): Flow | null {
  let usd = ZERO
  let found = false
  const count = (leg: Leg) => {
    if (leg.priceUsd === null) return
    usd = add(usd, multiply(leg.quantity, leg.priceUsd))
    found = true
  }
  let hasUnmeasuredSwapLeg = false
  for (const leg of legs) {
    if (leg.role === 'opening' || (leg.role === 'transfer' && !isInternal(leg))) count(leg)
    if (isSwap(leg) && leg.priceUsd === null) hasUnmeasuredSwapLeg = true
  }
  if (hasUnmeasuredSwapLeg) for (const leg of legs) if (isSwap(leg)) count(leg)
  return found ? { atMs: legs[0]!.atMs, usd } : null
}

function isSwap(leg: Leg): boolean {
  return leg.role === 'trade' || leg.role === 'wrap'
}
