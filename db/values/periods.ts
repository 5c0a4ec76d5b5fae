/** Periods of P&L and charts: UTC, start inclusive, end exclusive, dated by their end. */

export const INTERVALS = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const
export type Interval = (typeof INTERVALS)[number]

export const RANGES = ['24h', '1w', '1m', '3m', '6m', '1y', 'all'] as const
export type Range = (typeof RANGES)[number]

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** The midnight at which the day of an instant ends; a midnight ends the day before it. */
export const endOfDay = (instantMs: number): number => Math.ceil(instantMs / DAY_MS) * DAY_MS
const WEEK_MS = 7 * DAY_MS
/** 1970-01-05, the first Monday of the epoch. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** Start of the UTC period that holds the instant; weeks start on Monday (ISO 8601). */
export function startOfPeriod(interval: Interval, instantMs: number): number {
  const date = new Date(instantMs)
  switch (interval) {
    case 'hourly':
      return Math.floor(instantMs / HOUR_MS) * HOUR_MS
    case 'daily':
      return Math.floor(instantMs / DAY_MS) * DAY_MS
    case 'weekly':
      return Math.floor((instantMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS
    case 'monthly':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
    case 'yearly':
      return Date.UTC(date.getUTCFullYear(), 0)
  }
}

function nextPeriod(interval: Interval, startMs: number): number {
  const date = new Date(startMs)
  switch (interval) {
    case 'hourly':
      return startMs + HOUR_MS
    case 'daily':
      return startMs + DAY_MS
    case 'weekly':
      return startMs + WEEK_MS
    case 'monthly':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
    case 'yearly':
      return Date.UTC(date.getUTCFullYear() + 1, 0)
  }
}

/**
 * Ends of the periods in a window: the boundaries strictly inside (from, to), then `to` itself.
 * Empty for an empty window.
 */
export function cutPoints(window: { interval: Interval; fromMs: number; toMs: number }): number[] {
  const { interval, fromMs, toMs } = window
  if (fromMs >= toMs) return []
  const cuts: number[] = []
  let cut = nextPeriod(interval, startOfPeriod(interval, fromMs))
  for (; cut < toMs; cut = nextPeriod(interval, cut)) cuts.push(cut)
  cuts.push(toMs)
  return cuts
}

const MONTHS: Partial<Record<Range, number>> = { '1m': 1, '3m': 3, '6m': 6, '1y': 12 }

/** Start of a range that ends at `nowMs`; null for `all`. Months clamp to the last day of a shorter month. */
export function rangeStart(range: Range, nowMs: number): number | null {
  if (range === 'all') return null
  if (range === '24h') return nowMs - DAY_MS
  if (range === '1w') return nowMs - WEEK_MS
  const now = new Date(nowMs)
  const month = now.getUTCMonth() - MONTHS[range]!
  const lastDay = new Date(Date.UTC(now.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const timeOfDay = nowMs - startOfPeriod('daily', nowMs)
  return Date.UTC(now.getUTCFullYear(), month, Math.min(now.getUTCDate(), lastDay)) + timeOfDay
}

/** True when the window lies inside the latest 24 hours, for which hourly points are kept. */
export function allowsHourly(window: { fromMs: number; toMs: number; nowMs: number }): boolean {
  return window.fromMs >= window.nowMs - DAY_MS && window.toMs <= window.nowMs
}
