import { networkOf } from '../network-of.ts'

/** Limit of wrong credentials from one IP network: keys, tokens, links and passcodes. */
export const WRONG_CREDENTIALS = { burst: 1_000, perSecond: 100 }

const MAX_NAMES = 10_000

export interface FailureBucket {
  /** Counts one failure. `name`: an IP address, counted by its network, or any other name. */
  count: (name: string) => void
  /** Seconds until the next try is allowed; 0: now. */
  waitS: (name: string) => number
}

/**
 * Limits failures by IP network or name, in this process: after too many, a client waits before any look-up.
 * Allows `burst` at once and `perSecond` in the long run.
 */
export function createFailureBucket(deps: {
  monotonicMs: () => number
  burst: number
  perSecond: number
}): FailureBucket {
  const { burst, perSecond } = deps
  // When each name has its whole burst again.
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
