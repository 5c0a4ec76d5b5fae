import type { FakeClock } from './double.ts'

// Counters over the windows of the vendors' limits.

/** A number: a window of that many milliseconds that ends now. day, month: the calendar's, in UTC. */
export type Span = number | 'day' | 'month'

export interface Limit {
  name: string
  /** requests, or units of the vendor */
  most: number
  span: Span
}

export interface Meter {
  /** The limit that `amount` more would break; null: none. Counts nothing. */
  broken: (key: string, amount?: number) => Limit | null
  /** Counts, also beyond a limit: some vendors count what they refuse. */
  count: (key: string, amount?: number) => void
  /** Counts unless a limit would break; returns that limit. */
  take: (key: string, amount?: number) => Limit | null
  spent: (key: string, span: Span) => number
  /** Milliseconds until the window ends: of a sliding one, until its oldest entry leaves it. */
  resetsIn: (key: string, span: Span) => number
}

/** Counts by key (an API key, an address, a method) over the windows of the limits. */
export function createMeter(clock: Pick<FakeClock, 'now'>, limits: readonly Limit[]): Meter {
  const spans = [...new Set(limits.map(({ span }) => span))]
  const windows = new Map<string, Map<Span, Window>>()

  function windowsOf(key: string): Map<Span, Window> {
    const known = windows.get(key)
    if (known) return known
    const made = new Map(spans.map((span) => [span, createWindow(span)]))
    windows.set(key, made)
    return made
  }

  function windowOf(key: string, span: Span): Window {
    const found = windowsOf(key).get(span)
    if (!found) throw new Error(`no limit of the meter has the window ${span}`)
    return found
  }

  const spent = (key: string, span: Span) => windowOf(key, span).sum(clock.now())
  const broken = (key: string, amount = 1) =>
    limits.find(({ most, span }) => spent(key, span) + amount > most) ?? null

  function count(key: string, amount = 1): void {
    for (const window of windowsOf(key).values()) window.add(clock.now(), amount)
  }

  return {
    broken,
    count,
    take(key, amount = 1) {
      const limit = broken(key, amount)
      if (!limit) count(key, amount)
      return limit
    },
    spent,
    resetsIn: (key, span) => windowOf(key, span).endsIn(clock.now()),
  }
}

/** What was counted within a span until now, as a running sum. */
interface Window {
  add: (nowMs: number, amount: number) => void
  sum: (nowMs: number) => number
  endsIn: (nowMs: number) => number
}

function createWindow(span: Span): Window {
  return typeof span === 'number' ? slidingWindow(span) : calendarWindow(span)
}

function calendarWindow(span: 'day' | 'month'): Window {
  let [endMs, total] = [-Infinity, 0]
  const sum = (nowMs: number) => {
    if (nowMs >= endMs) [endMs, total] = [endOf(span, nowMs), 0]
    return total
  }
  return {
    add(nowMs, amount) {
      total = sum(nowMs) + amount
    },
    sum,
    endsIn: (nowMs) => endOf(span, nowMs) - nowMs,
  }
}

function slidingWindow(ms: number): Window {
  let entries: { at: number; amount: number }[] = []
  let [first, total] = [0, 0]
  const sum = (nowMs: number) => {
    for (; first < entries.length && entries[first]!.at <= nowMs - ms; first++)
      total -= entries[first]!.amount
    if (first > 1_000 && 2 * first > entries.length) [entries, first] = [entries.slice(first), 0]
    return total
  }
  return {
    add(nowMs, amount) {
      total = sum(nowMs) + amount
      const last = entries.at(-1)
      if (entries.length > first && last?.at === nowMs) last.amount += amount
      else entries.push({ at: nowMs, amount })
    },
    sum,
    endsIn(nowMs) {
      sum(nowMs)
      const oldest = entries[first]
      return oldest ? oldest.at + ms - nowMs : 0
    },
  }
}

const DAY_MS = 86_400_000

/** In UTC. */
function endOf(span: 'day' | 'month', nowMs: number): number {
  const now = new Date(nowMs)
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  return span === 'day' ? Date.UTC(year, month, day) + DAY_MS : Date.UTC(year, month + 1, 1)
}
