import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'

const DEADLINE_MS = 2_000
/** Pause after a failed request to the issuer. */
const PAUSE_MS = 5_000
/** Keys that the issuer has withdrawn stop working after this time. */
const MAX_AGE_MS = 600_000
/** A token with an unknown key triggers a new fetch at most once in this time. */
const COOL_DOWN_MS = 10_000

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() })

/** The public keys of an OpenID provider, found through its discovery document on first use. */
export function createIssuerKeys(issuer: string, deps: { monotonicMs: () => number }): JWTVerifyGetKey {
  let found: Promise<JWTVerifyGetKey> | null = null
  let pausedUntilMs = 0

  /** Pauses after a failure, so that bad tokens do not each cause a request to a broken issuer. */
  async function guardedFetch(url: string, init: RequestInit): Promise<Response> {
    if (deps.monotonicMs() < pausedUntilMs) throw new Error('the last request failed less than 5 s ago')
    try {
      const response = await fetch(url, { ...init, redirect: 'error' })
      if (response.status !== 200) throw new Error(`${url} answers ${response.status}`)
      return response
    } catch (error) {
      pausedUntilMs = deps.monotonicMs() + PAUSE_MS
      throw error
    }
  }

  async function discover(): Promise<JWTVerifyGetKey> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const response = await guardedFetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) })
    const document = discoverySchema.parse(await response.json())
    if (document.issuer !== issuer) throw new Error(`${url} names another issuer: ${document.issuer}`)
    return createRemoteJWKSet(new URL(document.jwks_uri), {
      timeoutDuration: DEADLINE_MS,
      cooldownDuration: COOL_DOWN_MS,
      cacheMaxAge: MAX_AGE_MS,
      [customFetch]: guardedFetch,
    })
  }

  return async (header, token) => {
    found ??= discover().catch((error: unknown) => {
      found = null
      throw error
    })
    return (await found)(header, token)
  }
}
