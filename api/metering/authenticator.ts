import { hash } from 'node:crypto'
import type { Access } from './access.ts'

/** How long a credential is remembered: the longest that a revoked one goes on working. */
const CACHE_MS = 3_000
const MAX_CACHED = 10_000

interface Entry {
  access: Promise<Access | null>
  /** Opened an account when it was last looked up. */
  valid: boolean
  expiresAtMs: number
}

export interface Authenticator {
  /**
   * What a well-formed credential opens; null when it is unknown, revoked or expired. `beforeLookUp` is called for one
   * that did not open an account lately, and may throw to spare the work.
   */
  accessOf: (credential: string, beforeLookUp: () => void) => Promise<Access | null>
}

/** Looks credentials up, each at most once at a time and once per 3 seconds. They are remembered by their hash. */
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
      // A credential in use at the same address goes on working, whatever others there try.
      if (!known?.valid) beforeLookUp()
      const access = lookUp(credential)
      entries.delete(id)
      const entry = { access, valid: known?.valid ?? false, expiresAtMs: monotonicMs() + CACHE_MS }
      entries.set(id, entry)
      access.then(
        (found) => (entry.valid = found !== null),
        // A failed look-up is nobody's answer but the callers' that already wait for it.
        () => (entry.expiresAtMs = 0),
      )
      // Insertion order is age, so the first entry is the oldest.
      if (entries.size > MAX_CACHED) entries.delete(entries.keys().next().value!)
      return access
    },
  }
}
