import { add, isZero } from '../../values/decimal.ts'
import type { Leg } from './leg.ts'
import { isSwap } from './roles.ts'

/**
 * Nets the legs of a swap, because a route through several pools moves a coin in and out again. Legs that
 * `valueUnpriced` returned are netted.
 */
export function netSwapLegs(legs: readonly Leg[]): Leg[] {
  const kept: Leg[] = []
  for (const leg of legs) {
    const index =
      isSwap(leg) && leg.paidUsd === undefined
        ? kept.findIndex(
            (other) =>
              other.role === leg.role &&
              other.coinId === leg.coinId &&
              other.account === leg.account &&
              other.paidUsd === undefined,
          )
        : -1
    if (index < 0) kept.push(leg)
    else kept[index] = { ...kept[index]!, quantity: add(kept[index]!.quantity, leg.quantity) }
  }
  return kept.filter((leg) => !isZero(leg.quantity))
}
