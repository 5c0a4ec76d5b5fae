import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, rateLimited, shareTokenRequired, unavailable } from '../api/errors.ts'
import { createFailureBucket } from '../api/metering/failure-bucket.ts'
import { parseInput } from '../api/parse-input.ts'
import { priceOf } from '../api/price.ts'
import type { Route, RouteInput } from '../api/route.ts'
import { JSON_TYPE } from '../api/to-json.ts'
import { x402BaseUnitsOf, x402UnitsOf, type X402Pricing } from '../api/x402-price.ts'
import type { StoredAnswer } from '../db/payments/ledger.ts'
import { type AnswerDeps, createAnswerCall } from './answer-call.ts'
import { challengeOf, NO_PAYMENT } from './challenge.ts'
import { checkPayment, checkWindow } from './check-payment.ts'
import { checkSignature } from './check-signature.ts'
import type { FacilitatorRequest } from './facilitator-client.ts'
import { decodePayment, paymentHeaderOf } from './payment-header.ts'
import type { Outcome, Payment, Payments } from './payments.ts'
import { readPayment, type SignedPayment } from './read-payment.ts'
import { receiptHeaders } from './receipt.ts'
import { requirementOf } from './requirement.ts'
import { type Resource, resourceOf } from './resource.ts'
import type { Sessions } from './sessions.ts'
import { TOKEN } from './token.ts'

export interface CallDeps extends AnswerDeps {
  publicUrl: string
  payTo: string
  pricing: X402Pricing
  payments: Payments
  sessions: Sessions
  /** Whether a payer is a contract, whose signatures the facilitator judges. */
  isContract: (address: string) => Promise<boolean>
  monotonicMs: () => number
}

interface Call {
  route: Route
  request: FastifyRequest
  reply: FastifyReply
  resource: Resource
}

/** Payments of one address that were none: each may cost the check of a signature and a question to the facilitator. */
const FAILED_PAYMENTS = { burst: 60, perSecond: 1 }
const RETRY_S = { busy: '1', pending: '5', unreachable: '5' }

/**
 * Serves one call of a priced route. A session that opens it wins over a payment; without both it is 402. What comes
 * with a payment is read first, so that a bad request costs nothing; then everything about the payment that can be
 * known here; then it is claimed, verified, answered, settled and sent.
 */
export function createServeCall(deps: CallDeps) {
  const { publicUrl, payTo, pricing, payments, sessions, isContract } = deps
  const answerOf = createAnswerCall(deps)
  const failures = createFailureBucket({ monotonicMs: deps.monotonicMs, ...FAILED_PAYMENTS })

  /** The input of a call. Throws what is wrong with it. */
  function inputOf({ route, request }: Call): RouteInput<unknown, unknown, unknown> {
    const input = parseInput(route, {
      ...{ path: request.params, queryString: request.query as string, body: undefined },
      headers: request.headers,
    })
    // Nobody has portfolios here: only shared ones are shown, and their tokens stay out of addresses.
    if (route.headers && request.headers['sharetoken'] === undefined) throw shareTokenRequired()
    return input
  }

  function unitsOf(route: Route, input: RouteInput<unknown, unknown, unknown>): bigint {
    return x402UnitsOf(route, priceOf(route, input), pricing)!
  }

  /** The price of a call that nobody has paid for yet: the least it can be where its parameters are not all there. */
  function unitsAsked(call: Call): bigint {
    const least = x402BaseUnitsOf(call.route)!
    if (pricing === 'flat' || !call.route.multiplied) return least
    try {
      return unitsOf(call.route, inputOf(call))
    } catch (error) {
      if (error instanceof ApiError) return least
      throw error
    }
  }

  function challenge(call: Call, { units, error }: { units: bigint; error: string }): FastifyReply {
    const { route, request, reply, resource } = call
    const { header, body } = challengeOf({
      requirement: requirementOf({ units, payTo }),
      ...{ url: resource.url, description: route.summary, error },
      ...{ requestId: request.id, path: request.url.split('?', 1)[0]! },
    })
    return reply.code(402).header('payment-required', header).type(JSON_TYPE).send(body)
  }

  function send(reply: FastifyReply, { statusCode, contentType, headers, body }: StoredAnswer): FastifyReply {
    return reply.code(statusCode).headers(headers).type(contentType).send(body)
  }

  /** What a payment came to, in the words of HTTP. */
  function conclude(
    call: Call,
    paid: { payment: SignedPayment; units: bigint; outcome: Outcome },
  ): FastifyReply {
    const { route, request, reply, resource } = call
    const { payment, units, outcome } = paid
    const { value } = payment.transfer
    switch (outcome.kind) {
      case 'answered': {
        const { receipt, settledAt } = outcome
        const bought = { units: value, route: route.path, resourceKey: resource.key, settledAt }
        const cookie = sessions.issue({ ...bought, ...receipt })
        if (cookie !== null) reply.header('set-cookie', cookie)
        return send(reply.headers(receiptHeaders(payment, receipt)), outcome.answer)
      }
      case 'refused':
        failures.count(request.ip)
        return challenge(call, { units, error: outcome.reason })
      case 'unpaid':
        failures.count(request.ip)
        return send(reply, outcome.answer)
      case 'busy':
        throw new ApiError(409, 'Payment is being processed', { 'retry-after': RETRY_S.busy })
      case 'unproven':
        return send(reply.headers(receiptHeaders(payment, 'settlement_pending')), outcome.answer)
      case 'pending':
        reply.headers(receiptHeaders(payment, 'settlement_pending'))
        throw unavailable({ 'retry-after': RETRY_S.pending })
      case 'unreachable':
        throw unavailable({ 'retry-after': RETRY_S.unreachable })
    }
  }

  async function pay(call: Call, header: string): Promise<FastifyReply> {
    const { route, request, resource } = call
    const payment = readPayment(decodePayment(header))
    const input = inputOf(call)
    const units = unitsOf(route, input)
    const requirement = requirementOf({ units, payTo })
    const { transfer, signature } = payment
    const untimely = checkWindow(transfer, deps.now())
    if (untimely !== null) return challenge(call, { units, error: untimely })
    const waitS = failures.waitS(request.ip)
    if (waitS > 0) throw rateLimited({ 'retry-after': String(waitS) })
    const paid: Payment = {
      authorization: {
        ...{ chainId: TOKEN.chainId, asset: TOKEN.address.toLowerCase() },
        ...{ payer: transfer.from, nonce: transfer.nonce },
      },
      amount: units,
      resourceKey: resource.key,
      validBefore: new Date(Number(transfer.validBefore) * 1_000),
      request: facilitatorRequest({ payment, requirement, resource, description: route.summary }),
    }
    const mismatch = checkPayment({ payment, requirement, url: resource.url })
    if (mismatch !== null) {
      // Price, payee and address are of today: who paid what was asked for before gets what was bought.
      const outcome = await payments.find(paid)
      if (outcome) return conclude(call, { payment, units, outcome })
      failures.count(request.ip)
      return challenge(call, { units, error: mismatch })
    }
    const forged = await checkSignature(transfer, signature, (address) =>
      isContract(address).catch(() => {
        throw unavailable({ 'retry-after': RETRY_S.unreachable })
      }),
    )
    if (forged !== null) {
      failures.count(request.ip)
      return challenge(call, { units, error: forged })
    }
    const outcome = await payments.pay(paid, () => answerOf({ route, input, request }))
    return conclude(call, { payment, units, outcome })
  }

  return async (given: Omit<Call, 'resource'>): Promise<FastifyReply> => {
    const { route, request, reply } = given
    const resource = resourceOf({
      ...{ publicUrl, template: route.path, params: request.params as Record<string, string> },
      ...{ queryString: request.query as string, headers: request.headers },
    })
    const call = { ...given, resource }
    const session = await sessions.open(request.headers)
    if (session) {
      const input = inputOf(call)
      const wanted = { route: route.path, resourceKey: resource.key, units: unitsOf(route, input) }
      if (sessions.opens(session, wanted)) {
        const waitS = sessions.waitS(session)
        if (waitS > 0) throw rateLimited({ 'retry-after': String(waitS) })
        return send(reply, await answerOf({ route, input, request }))
      }
    }
    const header = paymentHeaderOf(request.raw)
    if (header !== null) return pay(call, header)
    return challenge(call, { units: unitsAsked(call), error: NO_PAYMENT })
  }
}

/** What the facilitator is asked: the payer's signature under our own requirement, in the words of version 2. */
function facilitatorRequest(asked: {
  payment: SignedPayment
  requirement: ReturnType<typeof requirementOf>
  resource: Resource
  description: string
}): FacilitatorRequest {
  const { payment, requirement, resource, description } = asked
  const { value, validAfter, validBefore, ...hex } = payment.transfer
  const authorization = {
    ...hex,
    ...{ value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) },
  }
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: { url: resource.url, description, mimeType: 'application/json' },
      accepted: requirement,
      payload: { signature: payment.signature, authorization },
    },
    paymentRequirements: requirement,
  }
}
