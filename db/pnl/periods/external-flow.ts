import { add, isZero, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { type Leg, worthOf } from '../legs/leg.ts'
import { isSwap, type Meaning, meaningOf } from '../legs/roles.ts'

export interface Flow {
  atMs: number
  /** positive into the scope, negative out of it */
  usd: Decimal
}

/**
 * Returns the flow of one transaction, in USD at its own instant; null if it has none.
 *
 * A swap or wrap with a leg that `valueUnpriced` could not value makes the value of its other legs a flow, so
 * that no profit is invented. `isInternal` tells which legs belong to own transfers of
 * the scope; `onTerm` gets each leg of the flow.
 */
export function externalFlow(
  legs: readonly Leg[],
  isInternal: (leg: Leg) => boolean,
  onTerm?: (leg: Leg, usd: Decimal) => void,
): Flow | null {
  const unmeasured = unmeasuredSwaps(legs)
  let usd: Decimal | null = null
  for (const leg of legs) {
    const { priceUsd } = leg
    const { flow, basis } = meaningOf(leg)
    const crosses =
      flow === 'always' ||
      (flow === 'unless own' && !isInternal(leg)) ||
      (flow === 'if unpriced' && unmeasured.has(basis))
    if (!crosses || priceUsd === null) continue
    const worth = worthOf(leg)
    usd = usd === null ? worth : add(usd, worth)
    onTerm?.(leg, worth)
  }
  return usd && { atMs: legs[0]!.atMs, usd }
}

const NONE: ReadonlySet<Meaning['basis']> = new Set()

/** Swaps, wraps or both. Ignores a coin without a price that a route only passes through. */
function unmeasuredSwaps(legs: readonly Leg[]): ReadonlySet<Meaning['basis']> {
  let net: Map<string, { basis: Meaning['basis']; quantity: Decimal }> | null = null
  for (const leg of legs) {
    const { priceUsd, coinId, quantity } = leg
    if (priceUsd !== null || !isSwap(leg)) continue
    net ??= new Map()
    const { basis } = meaningOf(leg)
    const key = `${basis} ${coinId}`
    net.set(key, { basis, quantity: add(net.get(key)?.quantity ?? ZERO, quantity) })
  }
  if (net === null) return NONE
  return new Set([...net.values()].filter(({ quantity }) => !isZero(quantity)).map(({ basis }) => basis))
}
