import { MATCH_WINDOW_MS } from '../scopes.ts'
import type { Leg, Match } from './leg.ts'
import { meaningOf } from './roles.ts'
import { add, compare, decimal, multiply, negate, sign } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'

export interface TransferLeg extends Pick<Leg, 'account' | 'txId' | 'seq' | 'atMs' | 'coinId'> {
  quantity: Decimal
  /** network or exchange; null: a manual record */
  place: string | null
}

/** A bridge takes at most 1% of the amount; a larger difference means two separate transfers. */
const ARRIVING_SHARE = decimal('0.99')

/**
 * Matches departures with arrivals of the same coin in another own book within 72 hours. Legs must come in
 * the order of time, departures first.
 *
 * An arrival matches the oldest departure of the same amount. If there is none, it may have crossed a bridge
 * that took at most 1% of the amount as its fee: then it matches a departure from another network or
 * exchange, the nearest in amount, then the oldest. Bridges are decided 72 hours later, because equal amounts
 * go first and one may still arrive. So an equal pair depends on nothing later, a bridge on 72 hours more,
 * and only legs of the last 144 hours are kept.
 */
export function createTransferMatcher<L extends TransferLeg>(onMatch: (match: { out: L; in: L }) => void) {
  /** Departures by coin, the smallest amount first, then the oldest. */
  const open = new Map<string, L[]>()
  /** Arrivals without an equal departure, the oldest first. */
  const arrivals: L[] = []
  let sweptMs = -Infinity

  const close = (arrival: L, over: { isNear: (out: L) => boolean; isPossible: (out: L) => boolean }) => {
    const outs = open.get(arrival.coinId) ?? []
    for (
      let index = positionOf(outs, { amount: arrival.quantity, isAfterEqual: false });
      index < outs.length;
      index++
    ) {
      const out = outs[index]!
      if (!over.isNear(out)) return false
      const isInTime = out.atMs <= arrival.atMs && out.atMs >= arrival.atMs - MATCH_WINDOW_MS
      if (!isInTime || !over.isPossible(out)) continue
      outs.splice(index, 1)
      onMatch({ out, in: arrival })
      return true
    }
    return false
  }
  const transfer = (arrival: L) =>
    close(arrival, {
      isNear: (out) => sign(add(out.quantity, arrival.quantity)) === 0,
      isPossible: (out) => out.account !== arrival.account,
    })
  const bridge = (arrival: L) =>
    close(arrival, {
      isNear: (out) => sign(add(multiply(out.quantity, ARRIVING_SHARE), arrival.quantity)) >= 0,
      isPossible: (out) => out.place !== null && out.place !== arrival.place,
    })
  const decide = (beforeMs: number): void => {
    const undecided = arrivals.findIndex((arrival) => arrival.atMs >= beforeMs)
    const decided = arrivals.splice(0, undecided < 0 ? arrivals.length : undecided)
    for (const arrival of decided) bridge(arrival)
  }
  const sweep = (beforeMs: number): void => {
    for (const [coinId, outs] of open) {
      const kept = outs.filter((out) => out.atMs >= beforeMs)
      if (kept.length > 0) open.set(coinId, kept)
      else open.delete(coinId)
    }
  }
  return {
    add(leg: L): void {
      decide(leg.atMs - MATCH_WINDOW_MS)
      if (leg.atMs > sweptMs + MATCH_WINDOW_MS) {
        sweptMs = leg.atMs
        sweep(leg.atMs - 2 * MATCH_WINDOW_MS)
      }
      if (sign(leg.quantity) >= 0) {
        if (!transfer(leg) && leg.place !== null) arrivals.push(leg)
        return
      }
      const outs = open.get(leg.coinId) ?? []
      outs.splice(positionOf(outs, { amount: negate(leg.quantity), isAfterEqual: true }), 0, leg)
      open.set(leg.coinId, outs)
    },
    end(): void {
      decide(Infinity)
    },
  }
}

/** Matches legs given in any order. By default each account is a place of its own. */
export function matchTransfers(
  legs: readonly Leg[],
  placeOf: (account: string) => string | null = (account) => account,
): Match[] {
  const found: Match[] = []
  const matcher = createTransferMatcher<Leg & TransferLeg>((match) => found.push(match))
  const transfers = legs.filter((leg) => meaningOf(leg).flow === 'unless own').sort(inOrder)
  for (const leg of transfers) matcher.add({ ...leg, place: placeOf(leg.account) })
  matcher.end()
  return found
}

/** Index for a departure of an amount, before or after those of the same amount. */
function positionOf(
  outs: readonly TransferLeg[],
  { amount, isAfterEqual }: { amount: Decimal; isAfterEqual: boolean },
): number {
  let [low, high] = [0, outs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const difference = compare(negate(outs[middle]!.quantity), amount)
    if (difference < 0 || (isAfterEqual && difference === 0)) low = middle + 1
    else high = middle
  }
  return low
}

function inOrder(a: Leg, b: Leg): number {
  return (
    a.atMs - b.atMs ||
    sign(a.quantity) - sign(b.quantity) ||
    compareText(a.account, b.account) ||
    compareText(a.txId, b.txId) ||
    a.seq - b.seq
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
