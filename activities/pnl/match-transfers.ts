import { formatDecimal, negate, sign } from '../../db/values/decimal.ts'
import { HOUR_MS } from '../../db/values/periods.ts'
import type { Leg, Match } from '../../db/pnl/leg.ts'

/** How long an own transfer may be under way; later arrivals are a withdrawal and a deposit. */
export const MATCH_WINDOW_MS = 72 * HOUR_MS

/**
 * Pairs departures with arrivals of the same coin and amount in another own account within 72 hours.
 * The earliest departure takes the earliest arrival that is free, so the result does not depend on the input's order.
 */
export function matchTransfers(legs: readonly Leg[]): Match[] {
  const transfers = legs.filter((leg) => leg.role === 'transfer').sort(inOrder)
  const arrivals = Map.groupBy(
    transfers.filter((leg) => sign(leg.quantity) > 0),
    (leg) => `${leg.coinId} ${formatDecimal(leg.quantity)}`,
  )
  const matches: Match[] = []
  for (const out of transfers) {
    if (sign(out.quantity) >= 0) continue
    const candidates = arrivals.get(`${out.coinId} ${formatDecimal(negate(out.quantity))}`) ?? []
    const index = candidates.findIndex(
      (leg) => leg.account !== out.account && leg.atMs >= out.atMs && leg.atMs <= out.atMs + MATCH_WINDOW_MS,
    )
    if (index >= 0) matches.push({ out, in: candidates.splice(index, 1)[0]! })
  }
  return matches
}

function inOrder(a: Leg, b: Leg): number {
  return a.atMs - b.atMs || compareText(a.account, b.account) || compareText(a.txId, b.txId) || a.seq - b.seq
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
