import { type Range, rangeStart, startOfPeriod } from '../values/periods.ts'

/** Start of a preset, at UTC midnight, as sums of trades are stored by day; null for `all`. */
export function startOfRange(range: Range, now: Date): Date | null {
  const start = rangeStart(range, now.getTime())
  return start === null ? null : new Date(startOfPeriod('daily', start))
}
