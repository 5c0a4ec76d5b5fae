import { cutPoints, type Range, rangeStart } from '../../db/values/periods.ts'

/**
 * Instants of a value chart that ends now: the start of the range, its period boundaries, and now. Periods
 * are hours for 24h, else days, as in the P&L of the same range, so adjacent points differ only by profit and
 * flow. Of the instants before the history it keeps only the last, with value 0.
 */
export function chartInstants(options: { range: Range; nowMs: number; historyMs: number }): number[] {
  const { range, nowMs, historyMs } = options
  const fromMs = rangeStart(range, nowMs) ?? historyMs
  const cuts = cutPoints({ interval: range === '24h' ? 'hourly' : 'daily', fromMs, toMs: nowMs })
  const instants = [fromMs, ...cuts]
  const firstInside = instants.findIndex((atMs) => atMs > historyMs)
  return firstInside < 0 ? [] : instants.slice(Math.max(0, firstInside - 1))
}
