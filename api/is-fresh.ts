/** A sync younger than this is not repeated. */
const FRESH_MS = 30_000

/**
 * Whether a sync just ended and none was requested since. A sync far in the future does not count: this
 * host's clock is behind.
 */
export function isFresh(sync: { syncedAt: Date | null; requested: boolean }, now: Date): boolean {
  if (sync.syncedAt === null || sync.requested) return false
  return Math.abs(now.getTime() - sync.syncedAt.getTime()) < FRESH_MS
}
