import { cutPoints, type Range, rangeStart } from '../../db/values/periods.ts'

/**
 * Instants of a value chart that ends now: the start of the range, its period boundaries, now. Hours for 24h, else
 * days, as in the P&L of the same range, so that neighbouring points differ by profit and flow alone. What lies before
 * the history is left out but for the last instant, where it was worth nothing yet.
 */
export function chartInstants(options: { range: Range; nowMs: number; historyMs: number }): number[] {
  const { range, nowMs, historyMs } = options
  const fromMs = rangeStart(range, nowMs) ?? historyMs
  const cuts = cutPoints({ interval: range === '24h' ? 'hourly' : 'daily', fromMs, toMs: nowMs })
  const instants = [fromMs, ...cuts]
  const firstInside = instants.findIndex((atMs) => atMs > historyMs)
  return firstInside < 0 ? [] : instants.slice(Math.max(0, firstInside - 1))
}
