import { formatDecimal, negate, sign } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { MATCH_WINDOW_MS } from '../../db/pnl/scopes.ts'
import type { Leg, Match } from '../../db/pnl/leg.ts'

type TransferLeg = Pick<Leg, 'account' | 'txId' | 'seq' | 'atMs' | 'coinId'> & { quantity: Decimal }

/**
 * Pairs departures with arrivals of the same coin and amount in another own account within 72 hours. Legs are given in
 * the order of time, departures first; each arrival closes the oldest departure still open. A pair depends on nothing
 * that comes later, and only the departures of the last 72 hours are kept.
 */
export function createTransferMatcher<L extends TransferLeg>(): (leg: L) => { out: L; in: L } | null {
  const open = new Map<string, L[]>()
  let sweptMs = -Infinity
  return (leg) => {
    if (leg.atMs > sweptMs + MATCH_WINDOW_MS) {
      sweptMs = leg.atMs
      for (const [key, outs] of open) if (outs.at(-1)!.atMs < leg.atMs - MATCH_WINDOW_MS) open.delete(key)
    }
    const isOut = sign(leg.quantity) < 0
    const key = `${leg.coinId} ${formatDecimal(isOut ? negate(leg.quantity) : leg.quantity)}`
    const waiting = (open.get(key) ?? []).filter((out) => out.atMs >= leg.atMs - MATCH_WINDOW_MS)
    const index = isOut ? -1 : waiting.findIndex((out) => out.account !== leg.account)
    const [out] = index >= 0 ? waiting.splice(index, 1) : []
    if (isOut) waiting.push(leg)
    if (waiting.length > 0) open.set(key, waiting)
    else open.delete(key)
    return out ? { out, in: leg } : null
  }
}

/** The same over legs in any order. */
export function matchTransfers(legs: readonly Leg[]): Match[] {
  const transfers = legs.filter((leg) => leg.role === 'transfer').sort(inOrder)
  return transfers.map(createTransferMatcher<Leg>()).filter((match) => match !== null)
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
