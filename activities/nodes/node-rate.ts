import type { RpcCall } from './rpc.ts'

/** What a vendor takes within any span of time of that length. */
export interface RateLimit {
  most: number
  perMs: number
  /** of a call; absent: the requests are counted */
  cost?: (method: string) => number
}

/** Sends requests of one account no faster than its vendor takes them. */
export interface NodeRate {
  /** How many of the calls, at least one, are not too many for one request. */
  fits: (calls: readonly RpcCall[]) => number
  /** Resolves when a request of these calls may be sent, and counts it. */
  admit: (calls: readonly RpcCall[], pause: (ms: number) => Promise<void>) => Promise<void>
}

/** Part of a limit that is used: answers of the vendor take a while, and it counts by its own clock. */
const USED = 0.9

function createNodeRate({ limits, now }: { limits: readonly RateLimit[]; now: () => Date }): NodeRate {
  const windows = limits.map((limit) => createWindow(limit))
  return {
    fits: (calls) => Math.min(calls.length, ...windows.map((window) => window.fits(calls))),
    async admit(calls, pause) {
      for (;;) {
        const nowMs = now().getTime()
        const waitMs = Math.max(0, ...windows.map((window) => window.waitMs(calls, nowMs)))
        if (waitMs > 0) {
          await pause(waitMs)
          continue
        }
        for (const window of windows) window.add(calls, nowMs)
        return
      }
    },
  }
}

function createWindow({ most, perMs, cost }: RateLimit) {
  let sent: { atMs: number; units: number }[] = []
  let sum = 0
  const unitsOf = (calls: readonly RpcCall[]) =>
    cost ? calls.reduce((total, { method }) => total + cost(method), 0) : 1

  return {
    fits(calls: readonly RpcCall[]): number {
      let count = 1
      while (count < calls.length && unitsOf(calls.slice(0, count + 1)) <= most * USED) count++
      return count
    },
    /** Milliseconds until these calls fit. More than fit at all wait until nothing else is in the window. */
    waitMs(calls: readonly RpcCall[], nowMs: number): number {
      while (sent[0] && sent[0].atMs <= nowMs - perMs) sum -= sent.shift()!.units
      let over = sum + unitsOf(calls) - most * USED
      for (const { atMs, units } of over > 0 ? sent : []) {
        over -= units
        if (over <= 0) return atMs + perMs - nowMs
      }
      const last = over > 0 ? sent.at(-1) : undefined
      return last ? last.atMs + perMs - nowMs : 0
    },
    add(calls: readonly RpcCall[], nowMs: number): void {
      const units = unitsOf(calls)
      sent.push({ atMs: nowMs, units })
      sum += units
    },
  }
}

export type RateOf = (account: string, limits: readonly RateLimit[]) => NodeRate

/** Rates by account, each made when it is first asked for. */
export function createNodeRates(now: () => Date): RateOf {
  const rates = new Map<string, NodeRate>()
  return (account, limits) => {
    const rate = rates.get(account) ?? createNodeRate({ limits, now })
    rates.set(account, rate)
    return rate
  }
}
