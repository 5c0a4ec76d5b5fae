/** A sync that is not older is not done again. */
const FRESH_MS = 30_000

/** Whether a sync just ended, and none was asked for since. */
export function isFresh(sync: { syncedAt: Date | null; requested: boolean }, now: Date): boolean {
  return sync.syncedAt !== null && !sync.requested && now.getTime() - sync.syncedAt.getTime() < FRESH_MS
}
