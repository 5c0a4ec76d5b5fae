/**
 * When blocks reach a node, on a clock that no machine needs to wait for. They come up to a second after their
 * time, each with its own delay, the same in every run.
 */
export interface Arrivals {
  /** number of the newest block; null: that of the node */
  head: () => number | null
  now: () => Date
  wait: (ms: number) => Promise<void>
  /** Shows a block half a second after its time. */
  show: (number: number, atMs: number) => void
  /** From now on blocks come one after the other. */
  pass: (from: { first: number; at: number; blockMs: number }) => void
  /** From now on time and head are real. */
  live: () => void
}

const LONGEST_DELAY_MS = 1_000

export function createArrivals(): Arrivals {
  let nowMs = 0
  let isLive = false
  let head = 0
  let from: { first: number; at: number; blockMs: number } | null = null

  function headNow(): number | null {
    if (isLive) return null
    if (!from) return head
    const { first, at, blockMs } = from
    const newest = first + Math.floor((nowMs - at) / blockMs)
    return Math.max(first, nowMs >= at + (newest - first) * blockMs + delayOf(newest) ? newest : newest - 1)
  }

  return {
    head: headNow,
    now: () => new Date(isLive ? Date.now() : nowMs),
    wait: (ms) => {
      nowMs += ms
      return Promise.resolve()
    },
    show(number, atMs) {
      head = number
      nowMs = atMs + LONGEST_DELAY_MS / 2
    },
    pass(start) {
      from = start
      nowMs = start.at
    },
    live() {
      isLive = true
    },
  }
}

/** Spread evenly, without a pattern that a poll could learn. */
const delayOf = (number: number): number => (Math.imul(number, 0x9e3779b1) >>> 0) % LONGEST_DELAY_MS
