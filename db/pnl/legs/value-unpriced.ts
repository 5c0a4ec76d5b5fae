import { isNftCoin } from '../../values/coins.ts'
import {
  absolute,
  add,
  compare,
  decimal,
  type Decimal,
  divide,
  isZero,
  multiply,
  negate,
  shares,
  sign,
  subtract,
  sum,
  ZERO,
} from '../../values/decimal.ts'
import type { Instant } from './instants.ts'
import { type Leg, worthOf } from './leg.ts'
import { isSwap, meaningOf } from './roles.ts'

/** The part of a balance whose cost is known, of a coin without a market price. */
export interface Paid {
  quantity: Decimal
  usd: Decimal
}

/** What one book holds. */
export interface Holdings {
  balances: Map<string, Decimal>
  /** coins without a market price that were paid for */
  paid: Map<string, Paid>
}

const ONE = decimal('1')
const NOTHING: Paid = { quantity: ZERO, usd: ZERO }
const least = (a: Decimal, b: Decimal) => (compare(a, b) < 0 ? a : b)
const most = (a: Decimal, b: Decimal) => (compare(a, b) < 0 ? b : a)

/**
 * Gives the legs of coins without a market price the value that the transaction tells: the stated price, or
 * the value of the priced side of a swap. Until the coin has a market price, it counts with what was paid for
 * it, and units of known cost leave first, at their average cost:
 *
 * - a swap for priced coins brings its value; units of unknown cost come in at that value (`isHeld`);
 * - a transfer, or a swap without any price, takes the cost across the border;
 * - income and rebates have a cost of 0; other arrivals have an unknown one.
 *
 * Arrivals of the instant come before its departures. Updates `paid`; the caller updates the balances.
 */
export function valueUnpriced(instant: Instant, { balances, paid }: Holdings): Instant {
  if (!instant.some((legs) => legs.some(({ isUnpriced }) => isUnpriced))) return instant
  const netted = instant.map(netSwapLegs)
  const worths = new Map(netted.flatMap((legs) => [...swapWorths(legs, paid)]))
  const changed = new Map<Leg, Leg[]>()
  const running = new Map<string, Decimal>()
  // Arrivals first, so that a fee withheld from a purchase has its cost.
  for (const side of [1, -1])
    for (const leg of netted.flat()) {
      if (!leg.isUnpriced || sign(leg.quantity) !== side) continue
      const { coinId, quantity } = leg
      const balance = running.get(coinId) ?? balances.get(coinId) ?? ZERO
      running.set(coinId, add(balance, quantity))
      const known = paid.get(coinId) ?? NOTHING
      const worth = leg.priceUsd ? absolute(worthOf(leg)) : (worths.get(leg) ?? null)
      const change = side > 0 ? arrive({ leg, worth, known, balance }) : leave({ leg, worth, known })
      changed.set(leg, change.legs)
      if (isZero(change.known.quantity)) paid.delete(coinId)
      else paid.set(coinId, change.known)
    }
  return netted.map((legs) => legs.flatMap((leg) => changed.get(leg) ?? [leg]))
}

interface Change {
  leg: Leg
  worth: Decimal | null
  known: Paid
}

/** Units that cover a negative balance were sold at an unknown cost: these leave again at once. */
function arrive({ leg, worth, known, balance }: Change & { balance: Decimal }): { legs: Leg[]; known: Paid } {
  const cost = worth ?? (meaningOf(leg).basis === 'none' ? ZERO : null)
  if (cost === null) return { legs: [leg], known }
  const owed = least(leg.quantity, most(negate(balance), ZERO))
  const repaid = part(cost, owed, leg.quantity)
  const main = at(leg, { worth: cost, paid: cost })
  return {
    legs: isZero(owed)
      ? [main]
      : [main, heldAlready(main, { quantity: negate(owed), worth: negate(repaid) })],
    known: {
      quantity: add(known.quantity, subtract(leg.quantity, owed)),
      usd: add(known.usd, subtract(cost, repaid)),
    },
  }
}

function leave({ leg, worth, known }: Change): { legs: Leg[]; known: Paid } {
  const amount = negate(leg.quantity)
  const taken = takenOf(amount, known)
  const strange = subtract(amount, taken.quantity)
  const rest = { quantity: subtract(known.quantity, taken.quantity), usd: subtract(known.usd, taken.usd) }
  if (worth === null) {
    if (isZero(taken.quantity)) return { legs: [leg], known }
    const cost = negate(taken.usd)
    const costed = at({ ...leg, quantity: negate(taken.quantity) }, { worth: cost, paid: cost })
    return {
      legs: isZero(strange) ? [costed] : [costed, { ...leg, quantity: negate(strange) }],
      known: rest,
    }
  }
  const found = part(worth, strange, amount)
  const main = at(leg, { worth: negate(worth), paid: negate(add(taken.usd, found)) })
  return {
    legs: isZero(strange) ? [main] : [heldAlready(main, { quantity: strange, worth: found }), main],
    known: rest,
  }
}

/** The units of known cost in an amount that leaves. */
function takenOf(amount: Decimal, known: Paid): Paid {
  const quantity = least(amount, known.quantity)
  return { quantity, usd: part(known.usd, quantity, known.quantity) }
}

const at = (leg: Leg, { worth, paid }: { worth: Decimal; paid: Decimal }): Leg => ({
  ...leg,
  priceUsd: leg.priceUsd ?? divide(worth, leg.quantity),
  worthUsd: worth,
  paidUsd: paid,
})

/** Units of unknown cost that the balance has, as a flow at their value. */
const heldAlready = (leg: Leg, { quantity, worth }: { quantity: Decimal; worth: Decimal }): Leg => ({
  ...leg,
  role: 'opening',
  treatment: undefined,
  isHeld: true,
  quantity,
  worthUsd: worth,
  paidUsd: worth,
})

/** The share of a total that belongs to a part of a quantity; exact for nothing and for all of it. */
function part(total: Decimal, quantity: Decimal, whole: Decimal): Decimal {
  if (isZero(quantity)) return ZERO
  return compare(quantity, whole) === 0 ? total : divide(multiply(total, quantity), whole)
}

/**
 * Values of the unpriced sides of swaps with a priced leg, all positive. Both sides get one value. If coins
 * without a price are on both sides, the given ones are worth their cost. Several of one side share equally, NFTs
 * by the number of copies. Without a priced leg a swap of NFTs is worth the cost of what is given, if all is known.
 */
function swapWorths(legs: readonly Leg[], paid: Holdings['paid']): Map<Leg, Decimal> {
  const worths = new Map<Leg, Decimal>()
  for (const swap of Map.groupBy(legs.filter(isSwap), (leg) => meaningOf(leg).basis).values()) {
    const priced = swap.filter(({ priceUsd }) => priceUsd !== null)
    const [ins, outs] = [1, -1].map((side) =>
      swap.filter(({ priceUsd, quantity }) => priceUsd === null && sign(quantity) === side),
    ) as [Leg[], Leg[]]
    const isOneSided = new Set(swap.map(({ quantity }) => sign(quantity))).size < 2
    if (isOneSided || (priced.length === 0 && !isWorthItsCost({ swap, outs, paid }))) continue
    const paidFor = negate(sum(priced.map(worthOf)))
    const costs = outs.map(({ coinId, quantity }) =>
      ins.length > 0 ? takenOf(negate(quantity), paid.get(coinId) ?? NOTHING).usd : ZERO,
    )
    const cost = sum(costs)
    const given = most(cost, negate(paidFor))
    const more = shares(subtract(given, cost), outs.map(weightOf))
    outs.forEach((leg, index) => worths.set(leg, add(costs[index]!, more[index]!)))
    const received = shares(most(add(paidFor, given), ZERO), ins.map(weightOf))
    ins.forEach((leg, index) => worths.set(leg, received[index]!))
  }
  return worths
}

const weightOf = ({ coinId, quantity }: Leg): Decimal => (isNftCoin(coinId) ? absolute(quantity) : ONE)

/** A swap with an NFT in which all that is given has a known cost. */
const isWorthItsCost = (of: {
  swap: readonly Leg[]
  outs: readonly Leg[]
  paid: Holdings['paid']
}): boolean =>
  of.swap.some(({ coinId }) => isNftCoin(coinId)) &&
  of.outs.every(({ coinId, quantity }) => {
    const known = of.paid.get(coinId) ?? NOTHING
    return compare(known.quantity, negate(quantity)) >= 0
  })

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
