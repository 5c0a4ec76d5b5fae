import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, MissingParameters, rateLimited, shareTokenRequired, unavailable } from '../api/errors.ts'
import { parseInput } from '../api/parse-input.ts'
import { priceOf } from '../api/price.ts'
import { parseQueryString, type RawQuery } from '../api/query-string.ts'
import type { Route, RouteInput } from '../api/route.ts'
import { JSON_TYPE } from '../api/to-json.ts'
import { checkUnknownParameters } from '../api/unknown-parameters.ts'
import { x402BaseUnitsOf, x402UnitsOf, type X402Pricing } from '../api/x402-price.ts'
import type { StoredAnswer } from '../db/payments/ledger.ts'
import { type AnswerDeps, createAnswerCall } from './answer-call.ts'
import { challengeOf, NO_PAYMENT } from './payment/challenge.ts'
import { checkPayment, checkWindow } from './payment/check-payment.ts'
import { checkSignature } from './payment/check-signature.ts'
import type { FacilitatorRequest } from './settlement/facilitator-client.ts'
import { decodePayment, paymentHeaderOf } from './payment/payment-header.ts'
import { createPaymentLimits, type Presenter } from './payment/payment-limits.ts'
import { NONCE_USED, type Outcome, type Payment, type Payments } from './settlement/payments.ts'
import { readPayment, type SignedPayment } from './payment/read-payment.ts'
import { receiptHeaders } from './payment/receipt.ts'
import { requirementOf } from './payment/requirement.ts'
import { type Resource, resourceOf } from './resource.ts'
import type { Sessions } from './session/sessions.ts'
import { TOKEN } from './payment/token.ts'

export interface CallDeps extends AnswerDeps {
  publicUrl: string
  payTo: string
  pricing: X402Pricing
  payments: Payments
  sessions: Sessions
  /** Whether a payer is a contract. The facilitator checks signatures of contracts. */
  isContract: (address: string) => Promise<boolean>
  /** Reads a payer's balance in base units; null: no node is configured. */
  balanceOf: ((address: string) => Promise<bigint>) | null
  monotonicMs: () => number
}

interface Call {
  route: Route
  request: FastifyRequest
  reply: FastifyReply
  resource: Resource
  query: RawQuery
}

const RETRY_S = { busy: '1', pending: '5', unreachable: '5' }

/**
 * Serves one call of a priced route. A session that covers it wins over a payment; without either the answer
 * is 402. Errors of the call come first, before anybody signs, then errors of the payment that can be found
 * locally. Then the payment is claimed, verified and settled, and the answer sent.
 */
export function createServeCall(deps: CallDeps) {
  const { publicUrl, payTo, pricing, payments, sessions, isContract, balanceOf } = deps
  const answerOf = createAnswerCall(deps)
  const limits = createPaymentLimits(deps)

  /** Parses the input of a call. Throws if it is invalid. */
  function inputOf({ route, request, query }: Call): RouteInput<unknown, unknown, unknown> {
    const input = parseInput(route, {
      path: request.params,
      query,
      body: undefined,
      headers: request.headers,
    })
    // The gateway has no accounts: it serves only shared portfolios, and their tokens stay out of URLs.
    if (lacksToken({ route, request })) throw shareTokenRequired()
    return input
  }

  function unitsOf(route: Route, input: RouteInput<unknown, unknown, unknown>): bigint {
    return x402UnitsOf(route, priceOf(route, input), pricing)!
  }

  /**
   * Sends the challenge to a call without a payment. Missing parameters are named in it, with the lowest
   * price that the call can have; invalid ones are thrown, so that nobody signs in vain.
   */
  function ask(call: Call): FastifyReply {
    try {
      return challenge(call, { units: unitsOf(call.route, inputOf(call)), error: NO_PAYMENT })
    } catch (error) {
      const names = missingIn(call, error)
      if (names.length === 0) throw error
      const needed = `${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} required`
      return challenge(call, { units: x402BaseUnitsOf(call.route)!, error: needed })
    }
  }

  function challenge(call: Call, { units, error }: { units: bigint; error: string }): FastifyReply {
    const { route, request, reply, resource } = call
    const { header, body } = challengeOf({
      requirement: requirementOf({ units, payTo }),
      url: resource.url,
      description: route.summary,
      error,
      requestId: request.id,
      path: request.url.split('?', 1)[0]!,
    })
    return reply.code(402).header('payment-required', header).type(JSON_TYPE).send(body)
  }

  function send(reply: FastifyReply, { statusCode, contentType, headers, body }: StoredAnswer): FastifyReply {
    return reply.code(statusCode).headers(headers).type(contentType).send(body)
  }

  /** Turns the outcome of a payment into an HTTP response. */
  function conclude(
    call: Call,
    paid: { payment: SignedPayment; presenter: Presenter; units: bigint; outcome: Outcome },
  ): FastifyReply {
    const { route, reply, resource } = call
    const { payment, presenter, units, outcome } = paid
    const { value } = payment.transfer
    switch (outcome.kind) {
      case 'answered': {
        const { receipt, settledAt, replayed } = outcome
        // Not on a replay: after settlement the signature is public on the chain.
        if (!replayed) {
          const bought = { units: value, route: route.path, resourceKey: resource.key, settledAt }
          const cookie = sessions.issue({ ...bought, ...receipt })
          if (cookie !== null) reply.header('set-cookie', cookie)
        }
        return send(reply.headers(receiptHeaders(payment, receipt)), outcome.answer)
      }
      case 'refused':
        limits.countFailure(presenter, { isOwn: outcome.reason !== NONCE_USED })
        return challenge(call, { units, error: outcome.reason })
      case 'unpaid':
        limits.countFailure(presenter, { isOwn: true })
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

  /** Waits for an answer of the node. Throws 503 if it does not answer. */
  const known = <T>(asked: Promise<T>): Promise<T> =>
    asked.catch(() => {
      throw unavailable({ 'retry-after': RETRY_S.unreachable })
    })

  async function pay(call: Call, header: string): Promise<FastifyReply> {
    const { route, request, resource } = call
    const payment = readPayment(decodePayment(header))
    const input = inputOf(call)
    const units = unitsOf(route, input)
    const requirement = requirementOf({ units, payTo })
    const { transfer, signature } = payment
    const untimely = checkWindow(transfer, deps.now())
    if (untimely !== null) return challenge(call, { units, error: untimely })
    const presenter: Presenter = { address: request.ip, signer: transfer.from }
    const paid: Payment = {
      authorization: {
        chainId: TOKEN.chainId,
        asset: TOKEN.address.toLowerCase(),
        payer: transfer.from,
        nonce: transfer.nonce,
      },
      amount: units,
      resourceKey: resource.key,
      validBefore: new Date(Number(transfer.validBefore) * 1_000),
      request: facilitatorRequest({ payment, requirement, resource, description: route.summary }),
    }
    const mismatch = checkPayment({ payment, requirement, url: resource.url })
    if (mismatch !== null) {
      // Price, payee and URL may have changed since: a payment made under the old ones still gets its answer.
      limits.countRepeat(presenter, transfer.nonce)
      const outcome = await payments.find(paid)
      if (outcome) return conclude(call, { payment, presenter, units, outcome })
      return challenge(call, { units, error: mismatch })
    }
    const forged = await checkSignature(transfer, signature, async (address) => {
      presenter.signer = null
      return limits.inTurn(presenter, () => known(isContract(address)))
    })
    if (forged !== null) {
      limits.countFailure(presenter, { isOwn: false })
      return challenge(call, { units, error: forged })
    }
    limits.countRepeat(presenter, transfer.nonce)
    const work = () => payments.pay(paid, () => answerOf({ route, input, request }))
    const outcome = await (limits.isQuiet(presenter) ? work() : payWarily(paid, { presenter, work }))
    return conclude(call, { payment, presenter, units, outcome })
  }

  /**
   * Handles a payment of a signer or network with many bad ones. Looks first for an earlier outcome, then, in
   * its turn, whether the payer has the money. Without a node the payment is verified in its turn.
   */
  async function payWarily(
    paid: Payment,
    { presenter, work }: { presenter: Presenter; work: () => Promise<Outcome> },
  ): Promise<Outcome> {
    const before = await payments.find(paid)
    if (before) return before
    const waitS = limits.waitS(presenter)
    if (waitS > 0) throw rateLimited({ 'retry-after': String(waitS) })
    if (!balanceOf) return limits.inTurn(presenter, work)
    const { payer } = paid.authorization
    const balance = await limits.inTurn(presenter, () => known(balanceOf(payer)))
    return balance < paid.amount ? { kind: 'refused', reason: 'insufficient_funds' } : work()
  }

  return async (given: Omit<Call, 'resource' | 'query'>): Promise<FastifyReply> => {
    const { route, request, reply } = given
    const query = parseQueryString(request.query as string)
    checkUnknownParameters({ ...given, query })
    const resource = resourceOf({
      publicUrl,
      template: route.path,
      params: request.params as Record<string, string>,
      queryString: request.query as string,
      headers: request.headers,
    })
    const call = { ...given, resource, query }
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
    return ask(call)
  }
}

const lacksToken = ({ route, request }: Pick<Call, 'route' | 'request'>): boolean =>
  route.headers !== undefined && request.headers['sharetoken'] === undefined

/** Names of the missing parameters; empty: something else is wrong too. */
function missingIn(call: Call, error: unknown): string[] {
  const token = lacksToken(call) ? ['shareToken'] : []
  if (error instanceof MissingParameters) return [...error.names, ...token]
  if (!(error instanceof ApiError)) return []
  if (error.message === shareTokenRequired().message) return token
  // Crawlers probe listed paths literally, with parameter names in braces.
  const params = Object.entries(call.request.params as Record<string, string>)
  return params.filter(([name, value]) => value === `{${name}}`).map(([name]) => name)
}

/** Builds the version 2 request to the facilitator: the payer's signature with our own requirement. */
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
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
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
