import type { FastifyBaseLogger } from 'fastify'
import { errors, type JWTPayload, jwtVerify, type JWTVerifyResult } from 'jose'
import type { Meter } from '../../db/metering/meter.ts'
import { unavailable } from '../errors.ts'
import type { Access } from './access.ts'
import { createIssuerKeys } from './issuer-keys.ts'

/** An OpenID provider whose access tokens are accepted. */
export interface Issuer {
  /** As in `iss`; its discovery document is below it. */
  issuer: string
  /** What `aud` of the tokens has to name. */
  audience: string
  /** What its access tokens call themselves: as RFC 9068 has it, or like any other token, or nothing. */
  tokenType: TokenType
  /** Our client at it: tokens for this audience are ID tokens. */
  clientId?: string
}

export type TokenType = 'at+jwt' | 'JWT'

export interface BearerDeps {
  meter: Pick<Meter, 'identify'>
  now: () => Date
  monotonicMs: () => number
  logger: Pick<FastifyBaseLogger, 'warn'>
}

/** Scopes of the tokens: GET needs the first, everything else the second. */
export const READ_SCOPE = 'sluice:read'
export const WRITE_SCOPE = 'sluice:write'

/** Signatures alone: with `none` and HS* whoever knows a public key could make tokens. */
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

/** What is wrong with a token, not with its issuer. */
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

/** Whether the text has the form of a signed token. */
export const isJwtLike = (text: string): boolean =>
  text.length <= MAX_LENGTH && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)

/**
 * What a token of the issuer opens: its subject's account, as far as its scopes go. Null for every token that is not
 * valid, and for a subject that is linked with no account. Throws 503 when the keys of the issuer cannot be had.
 */
export function createBearer(
  { issuer, audience, tokenType, clientId }: Issuer,
  deps: BearerDeps,
): (token: string) => Promise<Access | null> {
  const keys = createIssuerKeys(issuer, deps)

  async function verify(token: string): Promise<JWTPayload | null> {
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
      deps.logger.warn({ issuer, reason: (error as Error).message }, 'no keys of the issuer')
      throw unavailable()
    }
  }

  return async (token) => {
    const payload = await verify(token)
    if (!payload?.sub) return null
    const accountId = await deps.meter.identify({ issuer, subject: payload.sub })
    if (accountId === null) return null
    const scopes = scopesOf(payload)
    return { accountId, reads: scopes.has(READ_SCOPE), writes: scopes.has(WRITE_SCOPE), opens: null }
  }
}

/** Claims of ID tokens alone (OpenID Connect Core 2, 3.1.3.6 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash']

/**
 * Whether a token that does not say so by its type is an access token: it has scopes, and nothing of what tells ID tokens
 * apart: their claims, our client as audience, Keycloak's "typ" and Cognito's "token_use".
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

/** `scope` as RFC 9068 has it, or `scp`, as some providers call it. */
function scopesOf({ scope, scp }: JWTPayload): Set<unknown> {
  const named = scope ?? scp
  return new Set(Array.isArray(named) ? named : typeof named === 'string' ? named.split(' ') : [])
}
