import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs work one at a time per key, in order of arrival. Returns null if its turn did not come in time; the
 * work then did not run.
 */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<{ done: T } | null>

const OVER = Symbol('over')

export function createTurns({ patienceMs }: { patienceMs: number }): Turns {
  const ends = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = ends.get(key) ?? Promise.resolve()
    const own = Promise.withResolvers<void>()
    const end = before.then(() => own.promise)
    ends.set(key, end)
    const patience = new AbortController()
    try {
      const over = sleep(patienceMs, OVER, { signal: patience.signal }).catch(() => OVER)
      if ((await Promise.race([before, over])) === OVER) return null
      return { done: await work() }
    } finally {
      patience.abort()
      own.resolve()
      void end.then(() => ends.get(key) === end && ends.delete(key))
    }
  }
}
