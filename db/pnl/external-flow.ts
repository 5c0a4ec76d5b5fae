import { add, isZero, multiply, ZERO } from '../values/decimal.ts'
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
  const crossing = legs.filter(
    (leg) => leg.role === 'opening' || (leg.role === 'transfer' && !isInternal(leg)),
  )
  const swapped = legs.filter((leg) => leg.role === 'trade' || leg.role === 'wrap')
  if (hasUnmeasuredNet(swapped)) crossing.push(...swapped)
  let usd: Decimal | null = null
  for (const leg of crossing) {
    if (leg.priceUsd !== null) usd = add(usd ?? ZERO, multiply(leg.quantity, leg.priceUsd))
  }
  return usd && { atMs: legs[0]!.atMs, usd }
}

/** A coin without a price that a route only passes through does not count. */
function hasUnmeasuredNet(legs: readonly Leg[]): boolean {
  const unmeasured = legs.filter((leg) => leg.priceUsd === null)
  if (unmeasured.length === 0) return false
  const net = new Map<string, Decimal>()
  for (const leg of unmeasured) net.set(leg.coinId, add(net.get(leg.coinId) ?? ZERO, leg.quantity))
  return [...net.values()].some((quantity) => !isZero(quantity))
}
