import type { FastifyBaseLogger } from 'fastify'
import type { Access } from '../../api/metering/access.ts'
import { createTokenCheck, type Issuer, READ_SCOPE, scopesOf } from '../../api/metering/bearer.ts'
import type { Meter } from '../../db/metering/meter.ts'

/** Why a request has no access (RFC 6750, section 3.1); `missing`: it brought no credential. */
export type Refusal = 'missing' | 'invalid_token' | 'insufficient_scope'

/**
 * Checks access tokens for MCP: made by the issuer for this server, with the scope to read, for a user with an account
 * that has not ended the agent. Agents only read, whatever else a token allows.
 */
export function createAgentAccess(
  issuer: Issuer,
  deps: {
    meter: Pick<Meter, 'admitAgent'>
    now: () => Date
    monotonicMs: () => number
    logger: Pick<FastifyBaseLogger, 'warn'>
  },
): (token: string) => Promise<Access | Exclude<Refusal, 'missing'>> {
  const check = createTokenCheck(issuer, deps)
  return async (token) => {
    const payload = await check(token)
    // `client_id` as in RFC 9068, or `azp`, the name that some providers use.
    const clientId = payload?.['client_id'] ?? payload?.['azp']
    if (!payload?.sub || typeof clientId !== 'string' || clientId === '' || clientId.length > 512)
      return 'invalid_token'
    if (!scopesOf(payload).has(READ_SCOPE)) return 'insufficient_scope'
    const accountId = await deps.meter.admitAgent({ issuer: issuer.issuer, subject: payload.sub, clientId })
    if (accountId === null) return 'invalid_token'
    return { accountId, reads: true, writes: false, opens: null }
  }
}
