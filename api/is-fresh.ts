import { walletVerification } from '../db/sync-commands.ts'
import type { Command } from '../db/metering/meter.ts'
import { uuidV7 } from '../db/values/uuid-v7.ts'

/** A sync younger than this is not repeated. */
const FRESH_MS = 30_000
/** Balances of a followed wallet that were compared with the chain since then are not compared again. */
const VERIFIED_MS = 5 * 60_000

interface Sync {
  syncedAt: Date | null
  requested: boolean
}

/**
 * Whether a sync just ended and none was requested since. A sync far in the future does not count: this
 * host's clock is behind.
 */
export function isFresh(sync: Sync, now: Date): boolean {
  if (sync.syncedAt === null || sync.requested) return false
  return Math.abs(now.getTime() - sync.syncedAt.getTime()) < FRESH_MS
}

/** Whether a request must sync a wallet; undefined: nothing is known of it. A follower brings all by itself. */
export const needsSync = (wallet: (Sync & { isFollowed: boolean }) | undefined, now: Date): boolean =>
  !(wallet && (wallet.isFollowed || isFresh(wallet, now)))

/** One command that compares the balances of those wallets that are followed and not verified, if there are any. */
export function verificationOf(
  wallets: readonly { address: string; networkId: string; isFollowed: boolean; verifiedAt: Date | null }[],
  now: Date,
): Command[] {
  const unverified = wallets.filter(
    ({ isFollowed, verifiedAt }) =>
      isFollowed && verifiedAt !== null && now.getTime() - verifiedAt.getTime() > VERIFIED_MS,
  )
  return unverified.length === 0 ? [] : [walletVerification(uuidV7(now.getTime()), unverified)]
}
