import { z } from 'zod'
import { isSafeUrl } from '../../ops/settings/is-safe-url.ts'
import { createJsonClient } from './json-client.ts'
import type { Requirement } from '../payment/requirement.ts'

/**
 * Request to the facilitator: a v2 payload whose `accepted` is our own requirement, not the client's copy.
 */
export interface FacilitatorRequest {
  x402Version: 2
  paymentPayload: {
    x402Version: 2
    accepted: Requirement
    payload: {
      signature: string
      authorization: {
        from: string
        to: string
        value: string
        validAfter: string
        validBefore: string
        nonce: string
      }
    }
    resource?: unknown
  }
  paymentRequirements: Requirement
}

export type Verdict =
  | { kind: 'valid' }
  | { kind: 'refused'; reason: string }
  /** No readable answer. */
  | { kind: 'unreachable'; reason: string }

export type Settlement =
  | { kind: 'success'; transaction: string; extra: Record<string, unknown> }
  /** `transaction`: hash of the transaction that was sent and reverted; null: none. */
  | { kind: 'refused'; reason: string; transaction: string | null }
  /** It is unknown whether the payer is charged. `lie`: the answer contradicts the request. */
  | { kind: 'unclear'; reason: string; lie: boolean }

/** A facilitator over HTTP. These methods never throw. */
export interface Facilitator {
  verify: (request: FacilitatorRequest) => Promise<Verdict>
  settle: (request: FacilitatorRequest) => Promise<Settlement>
  /** true: it settles `exact` on this network; otherwise the reason. */
  supports: (network: string) => Promise<true | string>
  close: () => Promise<void>
}

interface FacilitatorOptions {
  /** Base URL; HTTPS unless it is on this machine. */
  url: string
  /** Sent as a bearer token. */
  token?: string
  verifyDeadlineMs?: number
  settleDeadlineMs?: number
}

const MAX_BYTES = 64 * 1024
const MAX_EXTRA_CHARS = 4_096
const TRANSACTION = /^0x[0-9a-f]{64}$/

const verifyAnswer = z.object({
  isValid: z.boolean(),
  invalidReason: z.string().nullish(),
  payer: z.string().nullish(),
})
const settleAnswer = z.object({
  success: z.boolean(),
  errorReason: z.string().nullish(),
  transaction: z.string().nullish(),
  network: z.string().nullish(),
  payer: z.string().nullish(),
  extra: z.record(z.string(), z.unknown()).nullish().catch(null),
})
const supportedAnswer = z.object({
  kinds: z.array(z.object({ x402Version: z.number(), scheme: z.string(), network: z.string() }).loose()),
})

export function createFacilitatorClient(options: FacilitatorOptions): Facilitator {
  const { token, verifyDeadlineMs = 5_000, settleDeadlineMs = 30_000 } = options
  const base = new URL(options.url.endsWith('/') ? options.url : `${options.url}/`)
  if (!isSafeUrl(base))
    throw new Error('X402_FACILITATOR_URL must use https unless the facilitator is on this machine')
  const client = createJsonClient({
    origin: base.origin,
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
    connectDeadlineMs: Math.min(5_000, verifyDeadlineMs),
    maxBytes: MAX_BYTES,
  })
  const ask = (name: string, deadlineMs: number, request?: FacilitatorRequest) =>
    client.ask({
      path: `${base.pathname}${name}`,
      deadlineMs,
      ...(request && { body: JSON.stringify(request) }),
    })

  return {
    async verify(request) {
      try {
        const { status, json } = await ask('verify', verifyDeadlineMs, request)
        const { isValid, invalidReason, payer } = verifyAnswer.parse(json)
        if (status >= 500) return { kind: 'unreachable', reason: `status_${status}` }
        if (!isValid) return { kind: 'refused', reason: toCode(invalidReason) }
        if (status >= 300) return { kind: 'unreachable', reason: `status_${status}` }
        if (payer && !isPayer(payer, request)) return { kind: 'unreachable', reason: 'other_payer' }
        return { kind: 'valid' }
      } catch (error) {
        return { kind: 'unreachable', reason: toReason(error) }
      }
    },

    async settle(request) {
      try {
        const { status, json } = await ask('settle', settleDeadlineMs, request)
        return readSettlement(status, settleAnswer.parse(json), request)
      } catch (error) {
        return { kind: 'unclear', reason: toReason(error), lie: false }
      }
    },

    async supports(network) {
      try {
        const { json } = await ask('supported', verifyDeadlineMs)
        const { kinds } = supportedAnswer.parse(json)
        const has = kinds.some(
          (kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network,
        )
        return has || `it does not settle "exact" on ${network}`
      } catch (error) {
        return toReason(error)
      }
    },

    close: client.close,
  }
}

/**
 * Accepts a success only if all its fields match the request. The ledger checks that the transaction is new.
 */
function readSettlement(
  status: number,
  answer: z.infer<typeof settleAnswer>,
  request: FacilitatorRequest,
): Settlement {
  const transaction = answer.transaction?.toLowerCase() ?? ''
  const sent = TRANSACTION.test(transaction) ? transaction : null
  if (!answer.success) {
    const reason = toCode(answer.errorReason)
    if (status >= 500 || reason === 'settlement_pending') return { kind: 'unclear', reason, lie: false }
    return { kind: 'refused', reason, transaction: sent }
  }
  const lie = (reason: string): Settlement => ({ kind: 'unclear', reason, lie: true })
  if (status >= 300) return lie(`success_with_status_${status}`)
  if (!sent) return lie('success_without_transaction')
  if (answer.network !== request.paymentRequirements.network) return lie('success_on_another_network')
  if (!answer.payer || !isPayer(answer.payer, request)) return lie('success_of_another_payer')
  const extra = answer.extra ?? {}
  return {
    kind: 'success',
    transaction: sent,
    extra: JSON.stringify(extra).length > MAX_EXTRA_CHARS ? {} : extra,
  }
}

const isPayer = (payer: string, { paymentPayload }: FacilitatorRequest) =>
  payer.toLowerCase() === paymentPayload.payload.authorization.from.toLowerCase()

/** Clients see codes, never free text of the facilitator. */
const toCode = (reason: string | null | undefined): string =>
  reason && /^[a-z0-9_]{1,80}$/i.test(reason) ? reason : 'unexpected_error'

function toReason(error: unknown): string {
  if (error instanceof z.ZodError || error instanceof SyntaxError) return 'unreadable_answer'
  const { name, message, code } = error as { name?: string; message?: string; code?: string }
  if (name === 'TimeoutError') return 'timeout'
  return code ?? toCode(message)
}
