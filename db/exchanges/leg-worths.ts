import type { Leg } from './read-transactions.ts'
import { trustedSide, trustOf } from '../values/coins.ts'

export const isMoney = (leg: Leg): boolean => leg.currency !== null || leg.isStable

const marketUsd = ({ delta, priceUsd }: Leg): number | null =>
  priceUsd === null ? null : Math.abs(Number(delta)) * Number(priceUsd)

/**
 * Values of legs in USD at their instant; null: unknown. Both sides of a swap have one value, that of the side
 * that values it in P&L. An unpriced side takes the value of the other.
 */
export function legWorthsUsd(moved: readonly Leg[]): ReadonlyMap<Leg, number | null> {
  const given = moved.find(({ delta }) => Number(delta) < 0)
  const received = moved.find(({ delta }) => Number(delta) > 0)
  if (!given || !received || moved.length > 2) return new Map(moved.map((leg) => [leg, marketUsd(leg)]))
  const side = trustedSide({ given: [given], received: [received] }, (leg) =>
    isMoney(leg) ? Infinity : trustOf(leg.coinId ?? leg.asset),
  )
  const [first, second] = side === 'given' ? [given, received] : [received, given]
  const value = marketUsd(first) ?? marketUsd(second)
  return new Map(moved.map((leg) => [leg, value]))
}
