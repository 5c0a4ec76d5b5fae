/**
 * When to ask for the head. The question is the header call itself, so asking too early costs one. The delay
 * with which blocks reach the node is learnt: an early question adds a tenth of the block time, each hit takes
 * a hundredth, which gives about 1.1 calls a block.
 */
export interface PollTimes {
  /** Milliseconds until the next question, after one that found a new block. */
  afterHit: (input: { blockAtMs: number; nowMs: number }) => number
  /** After a question that found none. */
  afterMiss: () => number
}

/** Faster chains are read in batches. */
const LEAST_TICK_MS = 1_000

export function createPollTimes(blockMs: number): PollTimes {
  const stepMs = Math.max(blockMs, LEAST_TICK_MS) / 10
  let lagMs = 0
  let missed = false
  return {
    afterHit({ blockAtMs, nowMs }) {
      missed = false
      lagMs = Math.max(-blockMs, lagMs - stepMs / 10)
      if (blockMs < LEAST_TICK_MS) return LEAST_TICK_MS
      return Math.min(Math.max(blockAtMs + blockMs + lagMs - nowMs, stepMs), 2 * blockMs)
    },
    afterMiss() {
      // One late block says nothing more, however often it is asked for.
      if (!missed) lagMs = Math.min(blockMs, lagMs + stepMs)
      missed = true
      return stepMs
    },
  }
}
