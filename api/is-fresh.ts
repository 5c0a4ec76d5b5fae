/** A sync that is not older is not done again. */
const FRESH_MS = 30_000

/** Whether a sync just ended, and none was asked for since. One of tomorrow did not: then this host's clock is behind. */
export function isFresh(sync: { syncedAt: Date | null; requested: boolean }, now: Date): boolean {
  if (sync.syncedAt === null || sync.requested) return false
  return Math.abs(now.getTime() - sync.syncedAt.getTime()) < FRESH_MS
}
