import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Meter } from '../db/metering/meter.ts'
import { isWellFormedApiKey } from '../db/values/api-key.ts'
import { invalidApiKey, rateLimited } from './errors.ts'
import { type Admitted, createAdmission } from './metering/admission.ts'
import { createAuthenticator } from './metering/authenticator.ts'
import { createFailureBucket } from './metering/failure-bucket.ts'
import { creditHeaders, rateHeaders } from './metering/headers.ts'
import { apiKeyOf } from './request-checks.ts'

/** Wrong keys of one address. */
const FAILED_KEYS = { burst: 1_000, perSecond: 100 }

/**
 * The first checks of a keyed request: who is it (401), is it within its rate (429). Sets the rate and credit headers.
 * An address that tried many wrong keys waits (429) before another key of its is looked up.
 */
export function createAdmitRequest(deps: { meter: Meter; monotonicMs: () => number }) {
  const authenticator = createAuthenticator(deps)
  const failures = createFailureBucket({ monotonicMs: deps.monotonicMs, ...FAILED_KEYS })
  const admit = createAdmission(deps.meter)

  function refuse(address: string): Error {
    failures.count(address)
    return invalidApiKey()
  }

  function checkFailures(address: string): void {
    const waitS = failures.waitS(address)
    if (waitS > 0) throw rateLimited({ 'retry-after': String(waitS) })
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<Admitted> => {
    const key = apiKeyOf(request)
    if (key === null || !isWellFormedApiKey(key)) {
      checkFailures(request.ip)
      throw refuse(request.ip)
    }
    const accountId = await authenticator.accountOf(key, () => checkFailures(request.ip))
    if (accountId === null) throw refuse(request.ip)
    const admitted = await admit(accountId)
    reply.headers(rateHeaders(admitted)).headers(creditHeaders(0, admitted.balance))
    if (!admitted.passes) throw rateLimited({ 'retry-after': String(Math.max(1, admitted.nextInS)) })
    return admitted
  }
}
