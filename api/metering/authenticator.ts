import { hash } from 'node:crypto'
import type { Access } from './access.ts'

/** Cache time of a credential, and so the longest time that a revoked one keeps working. */
const CACHE_MS = 3_000
const MAX_CACHED = 10_000

interface Entry {
  access: Promise<Access | null>
  /** True when the last look-up found an account. */
  valid: boolean
  expiresAtMs: number
}

export interface Authenticator {
  /**
   * Returns the access of a well-formed credential; null when it is unknown, revoked or expired. Calls
   * `beforeLookUp` unless the last look-up found an account; it may throw to skip the work.
   */
  accessOf: (credential: string, beforeLookUp: () => void) => Promise<Access | null>
}

/** Looks up credentials, each at most once at a time and once in 3 seconds. The cache key is their hash. */
export function createAuthenticator(deps: {
  lookUp: (credential: string) => Promise<Access | null>
  monotonicMs: () => number
}): Authenticator {
  const { lookUp, monotonicMs } = deps
  const entries = new Map<string, Entry>()
  return {
    accessOf(credential, beforeLookUp) {
      const id = hash('sha256', credential, 'base64')
      const known = entries.get(id)
      if (known && known.expiresAtMs > monotonicMs()) return known.access
      // A valid credential keeps working even while other clients at its address send wrong ones.
      if (!known?.valid) beforeLookUp()
      const access = lookUp(credential)
      entries.delete(id)
      const entry = { access, valid: known?.valid ?? false, expiresAtMs: monotonicMs() + CACHE_MS }
      entries.set(id, entry)
      access.then(
        (found) => (entry.valid = found !== null),
        // Only callers that already wait for a failed look-up get its error.
        () => (entry.expiresAtMs = 0),
      )
      // Insertion order is age, so the first entry is the oldest.
      if (entries.size > MAX_CACHED) entries.delete(entries.keys().next().value!)
      return access
    },
  }
}
