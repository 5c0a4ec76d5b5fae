import type { LogRange } from './rpc.ts'

/** Starts small: a node does the whole work before it refuses an oversized answer. */
const FIRST_BLOCKS = 125
const MOST_BLOCKS = 100_000
const MOST_CALLS = 100

/**
 * Doubles until the first refusal. A plan's limit is kept: where the text names no number, or a wrong one, it
 * is found between what passed and what did not. Where an answer was too big, the range grows again slowly.
 */
export function createLogRange(): LogRange {
  let size = FIRST_BLOCKS
  let passed = 0
  let most = MOST_BLOCKS
  let wasRefused = false
  const between = (low: number, high: number) => Math.floor((low + high + 1) / 2)

  return {
    blocks: () => size,
    accepted(blocks) {
      passed = Math.max(passed, Math.min(blocks, most))
      if (blocks < size) return
      if (!wasRefused) size = Math.min(most, size * 2)
      else if (most < MOST_BLOCKS) size = Math.max(size, between(passed, most))
      else size = Math.min(most, Math.ceil(size * 1.1))
    },
    refused(blocks, refusal) {
      wasRefused = true
      const named = refusal.kind === 'range' || refusal.kind === 'result' ? refusal.blocks : null
      const isUseful = named !== null && named < blocks
      if (refusal.kind === 'range') {
        most = isUseful ? named : Math.max(1, blocks - 1)
        // The node is another one than before, or has another limit now.
        if (passed > most) passed = 0
        size = isUseful ? named : passed > 0 ? between(passed, most) : Math.max(1, Math.floor(blocks / 2))
        return
      }
      size = isUseful ? named : Math.max(1, Math.floor(blocks / 2))
    },
  }
}

/** Calls in one batch that a node accepts. */
export interface BatchSize {
  calls: () => number
  /** The node accepts no larger batch. null: it names no number. */
  refused: (calls: number, named: number | null) => void
  /** The node answered so many of a batch, and the others hit its rate. */
  answered: (passed: number, asked: number) => void
}

/** After a refusal without a number: three, then one. After a full answer the size grows by a tenth. */
export function createBatchSize(): BatchSize {
  let most = MOST_CALLS
  let size = most
  return {
    calls: () => size,
    refused(calls, named) {
      most = named !== null && named < calls ? named : calls > 3 ? 3 : 1
      size = most
    },
    answered(passed, asked) {
      if (passed < asked) size = Math.max(1, passed)
      else if (asked >= size) size = Math.min(most, Math.ceil(size * 1.1))
    },
  }
}
