/** Credentials of one address that were wrong: keys, tokens, links and passcodes. */
export const WRONG_CREDENTIALS = { burst: 1_000, perSecond: 100 }

const MAX_ADDRESSES = 10_000

export interface FailureBucket {
  /** Counts one failure of the address. */
  count: (address: string) => void
  /** Seconds until the address may try again; 0: now. */
  waitS: (address: string) => number
}

/**
 * Failures per address and process: who makes many soon waits, before anything is looked up. `burst` of them at once,
 * `perSecond` of them for ever.
 */
export function createFailureBucket(deps: {
  monotonicMs: () => number
  burst: number
  perSecond: number
}): FailureBucket {
  const { burst, perSecond } = deps
  // When the bucket of an address will be full again.
  const fullAtMs = new Map<string, number>()
  const gapMs = 1_000 / perSecond
  return {
    count(address) {
      const nowMs = deps.monotonicMs()
      const fullMs = Math.min(Math.max(fullAtMs.get(address) ?? 0, nowMs) + gapMs, nowMs + burst * gapMs)
      fullAtMs.delete(address)
      fullAtMs.set(address, fullMs)
      if (fullAtMs.size > MAX_ADDRESSES) fullAtMs.delete(fullAtMs.keys().next().value!)
    },
    waitS(address) {
      const missingMs = (fullAtMs.get(address) ?? 0) - deps.monotonicMs()
      return Math.max(0, Math.ceil((missingMs - (burst - 1) * gapMs) / 1_000))
    },
  }
}
