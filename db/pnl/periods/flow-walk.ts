import { add, isZero, multiply, subtract, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { coverShortfall } from '../legs/cover-shortfall.ts'
import type { Instant } from '../legs/instants.ts'
import type { FirstPrices } from '../legs/measured-legs.ts'
import { type Holdings, valueUnpriced } from '../legs/value-unpriced.ts'
import type { PricePoint } from '../valuation/price-book.ts'
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

export interface FlowWalk {
  /** Applies the next instant. Returns its legs valued, with the openings that they needed. */
  apply: (instant: Instant) => Instant
  /** Moves on to an instant without a transaction and reports first prices up to it. */
  advance: (untilMs: number) => void
}

/**
 * Applies the transactions of one account in order, updates `holdings` and reports flows. What is held of a
 * coin at an unknown cost when it gets its first price is a flow at that price, one millisecond earlier: a
 * value at the same instant already has the price, so its period must contain the flow.
 */
export function createFlowWalk(input: {
  fromMs: number
  holdings: Holdings
  firsts: FirstPrices
  /** true: a balance below zero is a debt; false: it means an unrecorded arrival */
  mayOwe: boolean
  onFlow: (atMs: number, usd: Decimal) => void
  /** called for each leg of the next flow, with its value */
  onTerm?: (leg: Leg, usd: Decimal) => void
  /** called with the quantity of unknown cost when its coin gets its first price, after its flow */
  onFirstPrice?: (first: PricePoint, held: Decimal) => void
}): FlowWalk {
  const { holdings, firsts, onFlow } = input
  const { balances, paid } = holdings
  let pending: PricePoint[] = []
  const awaitFirstPrice = (coinId: string, sinceMs: number) => {
    const first = firsts.byCoin.get(coinId)
    if (!first || first.atMs <= sinceMs || pending.includes(first)) return
    pending = [...pending, first].sort((a, b) => a.atMs - b.atMs)
  }
  const advance = (untilMs: number) => {
    while (pending.length > 0 && pending[0]!.atMs <= untilMs) {
      const first = pending.shift()!
      const held = subtract(balances.get(first.coinId) ?? ZERO, paid.get(first.coinId)?.quantity ?? ZERO)
      paid.delete(first.coinId)
      if (isZero(held)) continue
      onFlow(first.atMs - 1, multiply(held, first.usd))
      input.onFirstPrice?.(first, held)
    }
  }
  for (const coinId of balances.keys()) awaitFirstPrice(coinId, input.fromMs)
  for (const coinId of paid.keys())
    if ((firsts.byCoin.get(coinId)?.atMs ?? Infinity) <= input.fromMs) paid.delete(coinId)
  return {
    advance,
    apply(stored) {
      const { atMs } = stored[0]![0]!
      advance(atMs)
      const covered = input.mayOwe ? stored : coverShortfall(stored, balances)
      const valued = valueUnpriced(covered, holdings)
      for (const legs of valued) {
        const flow = externalFlow(legs, () => false, input.onTerm)
        if (flow) onFlow(flow.atMs, flow.usd)
      }
      for (const { coinId, quantity } of covered.flat()) {
        balances.set(coinId, add(balances.get(coinId) ?? ZERO, quantity))
        awaitFirstPrice(coinId, atMs)
      }
      return valued
    },
  }
}
