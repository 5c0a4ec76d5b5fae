import { timingSafeEqual } from 'node:crypto'
import type { Meter } from '../../db/metering/meter.ts'
import { hashApiKey } from '../../db/values/api-key.ts'

/** How long a key is remembered: the longest that a revoked one goes on working. */
const CACHE_MS = 3_000
const MAX_CACHED = 10_000

interface Entry {
  account: Promise<string | null>
  expiresAtMs: number
}

export interface Authenticator {
  /** Whether the answer for the key is at hand, so that it costs no query. */
  isCached: (key: string) => boolean
  /** The account of a well-formed key; null when the key is unknown or revoked. */
  accountOf: (key: string) => Promise<string | null>
}

/** Looks keys up by their hash, each at most once at a time and once per 3 seconds. */
export function createAuthenticator(deps: { meter: Meter; monotonicMs: () => number }): Authenticator {
  const { meter, monotonicMs } = deps
  const entries = new Map<string, Entry>()

  async function lookUp(hash: Buffer): Promise<string | null> {
    const found = await meter.authenticate(hash)
    return found && timingSafeEqual(found.storedHash, hash) ? found.accountId : null
  }

  function cached(id: string): Entry | undefined {
    const entry = entries.get(id)
    return entry && entry.expiresAtMs > monotonicMs() ? entry : undefined
  }

  return {
    isCached: (key) => cached(hashApiKey(key).toString('base64')) !== undefined,
    accountOf(key) {
      const hash = hashApiKey(key)
      const id = hash.toString('base64')
      const known = cached(id)
      if (known) return known.account
      const account = lookUp(hash)
      entries.delete(id)
      entries.set(id, { account, expiresAtMs: monotonicMs() + CACHE_MS })
      // A failed look-up is nobody's answer but the callers' that already wait for it.
      account.catch(() => entries.delete(id))
      // Insertion order is age, so the first entry is the oldest.
      if (entries.size > MAX_CACHED) entries.delete(entries.keys().next().value!)
      return account
    },
  }
}
