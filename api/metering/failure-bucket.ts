import { networkOf } from '../network-of.ts'

/** Credentials of one network that were wrong: keys, tokens, links and passcodes. */
export const WRONG_CREDENTIALS = { burst: 1_000, perSecond: 100 }

const MAX_NAMES = 10_000

export interface FailureBucket {
  /** Counts one failure of the network of an address, or of another name. */
  count: (name: string) => void
  /** Seconds until it may try again; 0: now. */
  waitS: (name: string) => number
}

/**
 * Failures per network or name, and process: who makes many soon waits, before anything is looked up. `burst` of them at once,
 * `perSecond` of them for ever.
 */
export function createFailureBucket(deps: {
  monotonicMs: () => number
  burst: number
  perSecond: number
}): FailureBucket {
  const { burst, perSecond } = deps
  // When the bucket of a name will be full again.
  const fullAtMs = new Map<string, number>()
  const gapMs = 1_000 / perSecond
  return {
    count(name) {
      const key = networkOf(name)
      const nowMs = deps.monotonicMs()
      const fullMs = Math.min(Math.max(fullAtMs.get(key) ?? 0, nowMs) + gapMs, nowMs + burst * gapMs)
      fullAtMs.delete(key)
      fullAtMs.set(key, fullMs)
      if (fullAtMs.size > MAX_NAMES) fullAtMs.delete(fullAtMs.keys().next().value!)
    },
    waitS(name) {
      const missingMs = (fullAtMs.get(networkOf(name)) ?? 0) - deps.monotonicMs()
      return Math.max(0, Math.ceil((missingMs - (burst - 1) * gapMs) / 1_000))
    },
  }
}
