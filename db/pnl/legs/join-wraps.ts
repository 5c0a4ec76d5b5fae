import type { Leg } from './leg.ts'
import { meaningOf } from './roles.ts'

/**
 * Makes wraps of one instant that share a coin one wrap, in the first of their transactions: if each feeds
 * the other, no order would let both find their lots. For transactions without an order of the source.
 */
export function joinWraps(transactions: readonly (readonly Leg[])[]): (readonly Leg[])[] {
  let groups: Leg[][] = []
  for (const legs of transactions) {
    const wraps = legs.filter(isWrap)
    if (wraps.length === 0) continue
    const shared = groups.filter((group) =>
      group.some((leg) => wraps.some((own) => own.coinId === leg.coinId)),
    )
    groups = [...groups.filter((group) => !shared.includes(group)), [...shared.flat(), ...wraps]]
  }
  return transactions
    .map((legs) => {
      const wraps = legs.filter(isWrap)
      const group = groups.find((one) => one.includes(wraps[0]!))
      if (!group || group.length === wraps.length) return legs
      const others = legs.filter((leg) => !isWrap(leg))
      const { txId } = legs[0]!
      return group[0] === wraps[0] ? [...others, ...group.map((leg) => ({ ...leg, txId }))] : others
    })
    .filter((legs) => legs.length > 0)
}

const isWrap = (leg: Leg): boolean => meaningOf(leg).basis === 'carried'
