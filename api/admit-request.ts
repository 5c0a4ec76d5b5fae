import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { EventReading } from './events/reading.ts'
import type { Meter } from '../db/metering/meter.ts'
import { isWellFormedApiKey } from '../db/values/api-key.ts'
import { invalidApiKey, rateLimited } from './errors.ts'
import { type Access, type Authorized, vouchedAccess } from './metering/access.ts'
import { createAdmission } from './metering/admission.ts'
import { createAuthenticator } from './metering/authenticator.ts'
import { createBearer, isJwtLike, type Issuer } from './metering/bearer.ts'
import { createFailureBucket, WRONG_CREDENTIALS } from './metering/failure-bucket.ts'
import { creditHeaders, rateHeaders, retryAfterS } from './metering/headers.ts'
import { lookUpKey } from './metering/look-up-key.ts'
import { credentialOf } from './request-checks.ts'

interface AdmitDeps {
  meter: Meter
  now: () => Date
  monotonicMs: () => number
  logger: Pick<FastifyBaseLogger, 'warn'>
  issuer?: Issuer
  events: Pick<EventReading, 'watching'>
}

/**
 * The first checks of a request: API key or bearer token (401) and rate limit (429). Sets the rate and credit
 * headers. After many wrong credentials an address must wait (429) before its next credential is looked up.
 */
export function createAdmitRequest(deps: AdmitDeps) {
  const { meter, issuer, monotonicMs } = deps
  const bearer = issuer && createBearer(issuer, deps)
  const authenticator = createAuthenticator({
    monotonicMs,
    lookUp: (text) => (bearer && isJwtLike(text) ? bearer(text) : lookUpKey(meter, text)),
  })
  const failures = createFailureBucket({ monotonicMs, ...WRONG_CREDENTIALS })
  const admit = createAdmission(deps)

  function refuse(address: string): Error {
    failures.count(address)
    return invalidApiKey()
  }

  function checkFailures(address: string): void {
    const waitS = failures.waitS(address)
    if (waitS > 0) throw rateLimited({ 'retry-after': String(waitS) })
  }

  /** Browsers send no key with a stream, so a ticket opens one. Null: the request has none. */
  async function accessOfTicket(request: FastifyRequest): Promise<Access | null> {
    const { row } = request.routeOptions.config
    const ticket = row?.kind === 'stream' && new URLSearchParams(request.query as string).get('ticket')
    if (!ticket) return null
    checkFailures(request.ip)
    const accountId = await deps.events.watching.useTicket(ticket)
    if (accountId === null) throw refuse(request.ip)
    return { accountId, reads: true, writes: false, opens: [`${row.method} ${row.path}`] }
  }

  async function accessOfCredential(request: FastifyRequest, credential: string | null): Promise<Access> {
    // A bearer token is accepted only in Authorization and without an X-API-KEY header.
    const isToken = bearer !== undefined && request.headers['x-api-key'] === undefined
    if (credential === null || !(isWellFormedApiKey(credential) || (isToken && isJwtLike(credential)))) {
      checkFailures(request.ip)
      throw refuse(request.ip)
    }
    const access = await authenticator.accessOf(credential, () => checkFailures(request.ip))
    if (access === null) throw refuse(request.ip)
    return access
  }

  async function accessOf(request: FastifyRequest): Promise<Access> {
    const credential = credentialOf(request)
    const byTicket = credential === null ? await accessOfTicket(request) : null
    return byTicket ?? accessOfCredential(request, credential)
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<Authorized> => {
    const access = vouchedAccess.getStore() ?? (await accessOf(request))
    const admitted = await admit(access.accountId)
    reply.headers(rateHeaders(admitted)).headers(creditHeaders(0, admitted.balance))
    if (!admitted.passes) throw rateLimited({ 'retry-after': String(retryAfterS(admitted)) })
    // The object belongs to this request only, so it may be changed.
    return Object.assign(admitted, { access })
  }
}
