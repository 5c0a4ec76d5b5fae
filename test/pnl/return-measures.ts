import type { ScopePeriod } from './engine/scope-periods.ts'
import { toNumber } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'

/**
 * Standard measures of return. The service does not serve them; the tests compute them from its days and
 * flows to compare these with figures of other tools.
 */

interface DatedAmount {
  atMs: number
  amount: number
}

/** Counts inflows from the start of their period and outflows until its end. Returns a fraction. */
export function timeWeightedReturn(periods: readonly ScopePeriod[]): number {
  const factors = periods.map((period) => {
    const flow = toNumber(period.flow)
    const before = toNumber(period.opening) + Math.max(flow, 0)
    return before === 0 ? 1 : (toNumber(period.closing) + Math.max(-flow, 0)) / before
  })
  return factors.reduce((product, factor) => product * factor, 1) - 1
}

/** Profit over the flows, each weighted by its remaining share of a window that starts at 0. A fraction. */
export function modifiedDietz(input: {
  flows: readonly DatedAmount[]
  fromMs: number
  toMs: number
  profit: number
}): number {
  const { flows, fromMs, toMs, profit } = input
  const weighted = flows.map(({ atMs, amount }) => (amount * (toMs - atMs)) / (toMs - fromMs))
  return profit / weighted.reduce((sum, part) => sum + part, 0)
}

/**
 * XIRR: the yearly rate (365 days) at which the present value of the amounts is 0, as a fraction. Found by
 * bisection; payments must precede earnings.
 */
export function annualRate(amounts: readonly DatedAmount[]): number {
  const startMs = amounts[0]!.atMs
  const worth = (factor: number) =>
    amounts.reduce((sum, { atMs, amount }) => sum + amount / factor ** ((atMs - startMs) / DAY_MS / 365), 0)
  let low = 1e-9
  let high = 1e9
  for (let step = 0; step < 200; step++) {
    const middle = Math.sqrt(low * high)
    if (worth(middle) > 0) low = middle
    else high = middle
  }
  return low - 1
}
