const BURST = 1_000
const PER_SECOND = 100
const MAX_ADDRESSES = 10_000

export interface FailureBucket {
  /** Counts one failed authentication of the address. */
  count: (address: string) => void
  /** Seconds until the address may try an unknown key again; 0: now. */
  waitS: (address: string) => number
}

/** Failed authentications per address and process: a guesser soon waits, without a query for each guess. */
export function createFailureBucket(deps: { monotonicMs: () => number }): FailureBucket {
  // When the bucket of an address will be full again.
  const fullAtMs = new Map<string, number>()
  const gapMs = 1_000 / PER_SECOND
  return {
    count(address) {
      const nowMs = deps.monotonicMs()
      const fullMs = Math.min(Math.max(fullAtMs.get(address) ?? 0, nowMs) + gapMs, nowMs + BURST * gapMs)
      fullAtMs.delete(address)
      fullAtMs.set(address, fullMs)
      if (fullAtMs.size > MAX_ADDRESSES) fullAtMs.delete(fullAtMs.keys().next().value!)
    },
    waitS(address) {
      const missingMs = (fullAtMs.get(address) ?? 0) - deps.monotonicMs()
      return Math.max(0, Math.ceil((missingMs - (BURST - 1) * gapMs) / 1_000))
    },
  }
}
