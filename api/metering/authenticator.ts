import { timingSafeEqual } from 'node:crypto'
import type { Meter } from '../../db/metering/meter.ts'
import { hashApiKey } from '../../db/values/api-key.ts'

/** How long a key is remembered: the longest that a revoked one goes on working. */
const CACHE_MS = 3_000
const MAX_CACHED = 10_000

interface Entry {
  account: Promise<string | null>
  /** Opened an account when it was last looked up. */
  valid: boolean
  expiresAtMs: number
}

export interface Authenticator {
  /**
   * The account of a well-formed key; null when the key is unknown or revoked. `beforeQuery` is called for a key that
   * did not open an account lately, and may throw to spare the query.
   */
  accountOf: (key: string, beforeQuery: () => void) => Promise<string | null>
}

/** Looks keys up by their hash, each at most once at a time and once per 3 seconds. */
export function createAuthenticator(deps: { meter: Meter; monotonicMs: () => number }): Authenticator {
  const { meter, monotonicMs } = deps
  const entries = new Map<string, Entry>()

  async function lookUp(hash: Buffer): Promise<string | null> {
    const found = await meter.authenticate(hash)
    return found && timingSafeEqual(found.storedHash, hash) ? found.accountId : null
  }

  return {
    accountOf(key, beforeQuery) {
      const hash = hashApiKey(key)
      const id = hash.toString('base64')
      const known = entries.get(id)
      if (known && known.expiresAtMs > monotonicMs()) return known.account
      // A key in use at the same address goes on working, whatever others there try.
      if (!known?.valid) beforeQuery()
      const account = lookUp(hash)
      entries.delete(id)
      const entry = { account, valid: known?.valid ?? false, expiresAtMs: monotonicMs() + CACHE_MS }
      entries.set(id, entry)
      account.then(
        (accountId) => (entry.valid = accountId !== null),
        // A failed look-up is nobody's answer but the callers' that already wait for it.
        () => (entry.expiresAtMs = 0),
      )
      // Insertion order is age, so the first entry is the oldest.
      if (entries.size > MAX_CACHED) entries.delete(entries.keys().next().value!)
      return account
    },
  }
}
