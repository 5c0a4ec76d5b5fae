import type { FastifyBaseLogger } from 'fastify'
import { errors, type JWTPayload, jwtVerify, type JWTVerifyResult } from 'jose'
import type { Meter } from '../../db/metering/meter.ts'
import { unavailable } from '../errors.ts'
import type { Access } from './access.ts'
import { createIssuerKeys } from './issuer-keys.ts'

/** An OpenID provider whose access tokens the API accepts. */
export interface Issuer {
  /** The value of `iss`, and the base URL of the discovery document. */
  issuer: string
  /** `aud` of the tokens must contain it. */
  audience: string
  /** `typ` of its access tokens: `at+jwt` (RFC 9068), or `JWT`, which also accepts tokens without `typ`. */
  tokenType: TokenType
  /** Our client id at the provider: tokens for this audience are ID tokens. */
  clientId?: string
}

export type TokenType = 'at+jwt' | 'JWT'

export interface BearerDeps {
  meter: Pick<Meter, 'identify'>
  now: () => Date
  monotonicMs: () => number
  logger: Pick<FastifyBaseLogger, 'warn'>
}

/** Scopes of tokens: GET needs the first, every other method the second. */
export const READ_SCOPE = 'sluice:read'
export const WRITE_SCOPE = 'sluice:write'

/** Only public-key signatures: with `none` or HS*, anyone who knows the public key could forge tokens. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
const LEEWAY_S = 5
const MAX_LENGTH = 8_192

/** Error codes that mean a bad token, not a failing issuer. */
const TOKEN_FAULTS = new Set([
  errors.JWTExpired.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWTInvalid.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWKSMultipleMatchingKeys.code,
])

/** Checks only the form of a signed token. */
export const isJwtLike = (text: string): boolean =>
  text.length <= MAX_LENGTH && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)

/** The claims of an access token of the issuer. Null: it is invalid. Throws 503 when its keys are unavailable. */
export function createTokenCheck(
  { issuer, audience, tokenType, clientId }: Issuer,
  deps: Omit<BearerDeps, 'meter'>,
): (token: string) => Promise<JWTPayload | null> {
  const keys = createIssuerKeys(issuer, deps)
  return async (token) => {
    try {
      const verified = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: LEEWAY_S,
        currentDate: deps.now(),
        ...(tokenType === 'at+jwt' && { typ: tokenType }),
      })
      const isAccess = tokenType === 'at+jwt' || isPlainAccessToken(verified, clientId)
      return isAccess ? verified.payload : null
    } catch (error) {
      if (error instanceof errors.JOSEError && TOKEN_FAULTS.has(error.code)) return null
      deps.logger.warn({ issuer, reason: (error as Error).message }, 'could not load the keys of the issuer')
      throw unavailable()
    }
  }
}

/**
 * Returns the access of the issuer's token: the account of its subject, limited by its scopes. Null for an
 * invalid token, and for a subject without an account. Throws 503 when the keys of the issuer are
 * unavailable.
 */
export function createBearer(issuer: Issuer, deps: BearerDeps): (token: string) => Promise<Access | null> {
  const verify = createTokenCheck(issuer, deps)
  return async (token) => {
    const payload = await verify(token)
    if (!payload?.sub) return null
    const accountId = await deps.meter.identify({ issuer: issuer.issuer, subject: payload.sub })
    if (accountId === null) return null
    const scopes = scopesOf(payload)
    return { accountId, reads: scopes.has(READ_SCOPE), writes: scopes.has(WRITE_SCOPE), opens: null }
  }
}

/** Claims that only ID tokens have (OpenID Connect Core 2, 3.1.3.6 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash']

/**
 * Recognises an access token without `at+jwt`: it has scopes and no mark of an ID token, that is, its claims,
 * our client as audience, or another value of Keycloak's "typ" or Cognito's "token_use".
 */
function isPlainAccessToken({ protectedHeader, payload }: JWTVerifyResult, clientId?: string): boolean {
  const { typ = 'JWT' } = protectedHeader
  const audiences = [payload.aud].flat()
  return (
    typ.toUpperCase() === 'JWT' &&
    (payload['scope'] ?? payload['scp']) !== undefined &&
    !ID_TOKEN_CLAIMS.some((claim) => claim in payload) &&
    (clientId === undefined || !audiences.includes(clientId)) &&
    [undefined, 'Bearer'].includes(payload['typ'] as string | undefined) &&
    [undefined, 'access'].includes(payload['token_use'] as string | undefined)
  )
}

/** `scope` as in RFC 9068, or `scp`, the name that some providers use. */
export function scopesOf({ scope, scp }: JWTPayload): Set<unknown> {
  const named = scope ?? scp
  return new Set(Array.isArray(named) ? named : typeof named === 'string' ? named.split(' ') : [])
}
