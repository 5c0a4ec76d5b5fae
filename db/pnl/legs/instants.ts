import { formatDecimal, sign } from '../../values/decimal.ts'
import type { Leg } from './leg.ts'
import { meaningOf } from './roles.ts'

/** Transactions of one book that are computed together: all of an instant, or one if the source orders them. */
export type Instant = readonly (readonly Leg[])[]

/**
 * Groups the legs of a book, which come transaction by transaction in the order of time. Transactions of an
 * instant without an order of the source are sorted by content, so that their ids change no figure.
 */
export function instantsOf(legs: readonly Leg[], { isOrdered }: { isOrdered: boolean }): Instant[] {
  const instants: Leg[][][] = []
  let last: Leg | undefined
  for (const leg of legs) {
    const isSameInstant = last?.atMs === leg.atMs
    if (isSameInstant && last?.txId === leg.txId) instants.at(-1)!.at(-1)!.push(leg)
    else if (isSameInstant && !isOrdered) instants.at(-1)!.push([leg])
    else instants.push([[leg]])
    last = leg
  }
  if (isOrdered) return instants
  return instants.map((instant) => {
    const transactions = instant.map((legs) => (legs.length > 2 ? sortBy(legs, textOf) : legs))
    return transactions.length > 1 ? joinWraps(sortBy(transactions, (one) => contentOf([one]))) : transactions
  })
}

/**
 * Makes wraps of one instant that share a coin one wrap, in the first of their transactions: if each feeds
 * the other, no order would let both find their lots. For transactions without an order of the source.
 */
function joinWraps(transactions: readonly (readonly Leg[])[]): (readonly Leg[])[] {
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

function sortBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item)
}

/** Compares by time. Within an instant, those that only add coins come first, and those that only take some last. */
export function inOrder(one: Instant, other: Instant): number {
  const time = one[0]![0]!.atMs - other[0]![0]!.atMs
  if (time !== 0) return time
  const [a, b] = [contentOf(one), contentOf(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

export function turnOf(legs: readonly Leg[]): number {
  if (legs.every(({ quantity }) => sign(quantity) > 0)) return 0
  return legs.every(({ quantity }) => sign(quantity) < 0) ? 2 : 1
}

/** A text that tells transactions apart by what they do, not by their ids, and that sorts arrivals first. */
function contentOf(transactions: Instant): string {
  const legs = transactions.flat()
  return [turnOf(legs), ...legs.map(textOf).sort()].join(', ')
}

const textOf = ({ role, coinId, quantity, priceUsd }: Leg): string =>
  [role, coinId, formatDecimal(quantity), priceUsd && formatDecimal(priceUsd)].join(' ')
