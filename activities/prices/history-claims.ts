/**
 * Records which histories this worker is fetching, so that activities that need the same ones share the work.
 * Two workers may fetch the same history; they store the same rows.
 */
export function createHistoryClaims() {
  const held = new Map<string, Promise<void>>()

  /** Claims at most `limit` of the keys that nobody holds. */
  function claim(keys: readonly string[], limit: number): { keys: string[]; release: () => void } {
    const free = keys.filter((key) => !held.has(key)).slice(0, limit)
    const { promise, resolve } = Promise.withResolvers<void>()
    for (const key of free) held.set(key, promise)
    const release = (): void => {
      for (const key of free) held.delete(key)
      resolve()
    }
    return { keys: free, release }
  }

  /** Resolves when one of the keys may be free. */
  const released = async (keys: readonly string[]): Promise<void> => {
    const holders = keys.flatMap((key) => held.get(key) ?? [])
    if (holders.length > 0) await Promise.race(holders)
  }

  return { claim, released }
}

export type HistoryClaims = ReturnType<typeof createHistoryClaims>
