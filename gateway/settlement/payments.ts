import { hash, randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import {
  type Authorization,
  type ClaimResult,
  createPaymentLedger,
  type Settled,
  type StoredAnswer,
} from '../../db/payments/ledger.ts'
import type { ChainReader } from '../chain/chain-reader.ts'
import type { Facilitator, FacilitatorRequest } from './facilitator-client.ts'
import { createOwnerLease } from './owner-lease.ts'
import { createReconciler } from './reconciler.ts'
import { createSettlement, type Fate } from './settlement.ts'

export interface Receipt {
  transaction: string
  payer: string
  /** The facilitator's acknowledgement. */
  extra: Record<string, unknown>
}

export interface Payment {
  authorization: Authorization
  /** Base units. */
  amount: bigint
  /** SHA-256 of path, query, share token and passcode. */
  resourceKey: Buffer
  /** May be past: the answer of a payment can be fetched again for an hour. */
  validBefore: Date
  request: FacilitatorRequest
}

export type Outcome =
  | { kind: 'answered'; answer: StoredAnswer; receipt: Receipt; settledAt: Date; replayed: boolean }
  /** 402 with this error. Nothing is charged. */
  | { kind: 'refused'; reason: string }
  /** The call failed: its error is sent, nothing is charged, and the authorization can be used again. */
  | { kind: 'unpaid'; answer: StoredAnswer }
  /** Another request with the same authorization still runs after the maximum wait: 409. */
  | { kind: 'busy' }
  /** It is unknown whether the payer is charged: 503, never 402, because clients pay again on a 402. */
  | { kind: 'pending' }
  /**
   * Like `pending`, but the answer is sent once, without a cookie and with `settlement_pending` in the
   * receipt.
   */
  | { kind: 'unproven'; answer: StoredAnswer }
  /** The payment cannot be verified: 503. Nothing is charged, and the authorization can be used again. */
  | { kind: 'unreachable' }

type Work = () => Promise<StoredAnswer>
type Claim = ClaimResult & { outcome: 'claimed' }

export interface Payments {
  /**
   * Serves one paid request: claims the authorization, has it verified while `work` runs and its answer is
   * stored, then settles. A repeated request gets the stored answer. Expiry is checked here by the database
   * clock, after the search for a stored answer. Throws what `work` throws, and if the database fails before
   * the facilitator is asked to settle.
   */
  pay: (payment: Payment, work: Work) => Promise<Outcome>
  /**
   * Returns the outcome of an earlier payment for the same resource, as `pay` would; null: none, or it was
   * refused. Claims nothing and sends no new payment to the facilitator.
   */
  find: (payment: Payment) => Promise<Outcome | null>
  /** Starts the reconciler of payments without a known outcome. */
  start: () => void
  /** Call it after all requests have been answered. */
  close: () => Promise<void>
}

interface PaymentsDeps {
  /** Connects as role `gateway`. */
  pool: pg.Pool
  facilitator: Facilitator
  /** null: the facilitator's word on the outcome of a payment is believed, within limits. */
  chain: ChainReader | null
  /** How long a repeated request gets the stored answer of its settled payment. */
  replaySeconds: number
  /**
   * Whether to serve a payment that was settled before it arrived: another installation may have received it.
   */
  servesElsewhere: boolean
  logger: Pick<Logger, 'warn' | 'error'>
}

/** Bytes. Longer answers are not sold, because each is stored whole before it is paid. */
const LONGEST_ANSWER = 4 * 1024 * 1024
/** Code for a used authorization. The signature of a used one is public on the chain. */
export const NONCE_USED = 'invalid_exact_evm_nonce_already_used'
const WAIT_MS = 5_000
/** A `validBefore` that is always past. */
const OVER = new Date(0)
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 400

export function createPayments(deps: PaymentsDeps): Payments {
  const { pool, facilitator, chain, replaySeconds, servesElsewhere, logger } = deps
  const owner = randomUUID()
  const ledger = createPaymentLedger(pool)
  const settlement = createSettlement({ ledger, facilitator, chain, logger })
  const lease = createOwnerLease({ ledger, owner, logger })
  const reconciler = createReconciler({ ledger, settlement, owner, held: lease.held, logger })

  /**
   * Waits for another request with the same authorization and takes over if that one gives up. Without `work`
   * it only looks for an outcome: it claims with a past `validBefore`, and an expired authorization is never
   * claimed.
   */
  async function follow(payment: Payment, work: Work | null): Promise<Outcome> {
    await lease.held()
    const { authorization, amount, resourceKey, request } = payment
    const validBefore = work ? payment.validBefore : OVER
    const authorizationHash = hashOf(request)
    const toBeClaimed = {
      authorization,
      amount,
      resourceKey,
      authorizationHash,
      validBefore,
      owner,
      replaySeconds,
    }
    const endMs = performance.now() + WAIT_MS
    let wasResolved = false
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const claim = await ledger.claim(toBeClaimed)
      switch (claim.outcome) {
        case 'settled':
          return answered(payment, { ...claim, replayed: true })
        case 'refused':
          return { kind: 'refused', reason: claim.reason }
        case 'pending':
          if (wasResolved || !(await reconciler.resolveOne(claim.paymentId, { presented: work !== null })))
            return pending(claim.paymentId)
          wasResolved = true
          continue
        case 'claimed': {
          const outcome = work && (await complete(payment, claim, work))
          if (outcome) return outcome
          break
        }
        case 'busy':
      }
      if (performance.now() + pauseMs > endMs) return { kind: 'busy' }
      await sleep(pauseMs)
    }
  }

  /** null: another process took over the claim. */
  async function complete(payment: Payment, claim: Claim, work: Work): Promise<Outcome | null> {
    const { request } = payment
    const { paymentId, claimedAt } = claim
    const settleable = { ...payment, paymentId, claimedAt }
    const release = (): Promise<boolean> =>
      ledger.release(claim).catch((error: Error) => {
        logger.warn({ paymentId, err: error }, 'a claim could not be released; it expires by itself')
        return true
      })
    /** Nothing is charged, unless another process took over the payment. */
    const end = async (outcome: Outcome): Promise<Outcome> =>
      (await release()) ? outcome : { kind: 'pending' }

    // Compute and store the answer while the facilitator verifies. It has no effect before the verdict. undici
    // sends a request in the next turn of the event loop; without the wait, it would leave after the statements.
    const verifying = facilitator.verify(request)
    await nextTurn()
    const preparing = prepare(payment, { claim, work })
    preparing.catch(() => {})
    const verdict = await verifying
    const proof = verdict.kind === 'refused' ? await settlement.check(settleable) : null
    if (verdict.kind === 'unreachable' || (verdict.kind === 'refused' && !proof)) {
      logger.warn({ reason: verdict.reason }, 'a payment could not be verified')
      return end({ kind: 'unreachable' })
    }
    const paid = proof?.kind === 'paid' ? proof : null
    // Nothing settles for us before the verdict, so the payment was for another installation's call or was
    // made before it arrived here. If this process was only slow, the next claim finds that another process
    // settled it.
    if (paid && !servesElsewhere) return (await release()) ? { kind: 'refused', reason: NONCE_USED } : null
    if (verdict.kind === 'refused' && !paid) return end({ kind: 'refused', reason: verdict.reason })
    const { answer, isStored } = await preparing.catch(async (error: unknown) => {
      await release()
      throw error
    })
    if (!isSold(answer)) return end({ kind: 'unpaid', answer })
    if (!isStored) return null
    try {
      const fate = paid
        ? await settlement.record(settleable, {
            transaction: paid.transaction,
            blockNumber: paid.blockNumber,
            extra: {},
          })
        : await settlement.settle(settleable, { isFirst: true })
      return await conclude(payment, { fate, paymentId, answer })
    } catch (error) {
      // The database failed after the facilitator was asked: the payer may be charged.
      logger.error(
        { paymentId, err: error },
        'a payment was interrupted by a database error; the reconciler finds its outcome',
      )
      return { kind: 'pending' }
    }
  }

  /** Runs the call and stores its answer if it is a success and the claim still holds. */
  async function prepare(
    { request }: Payment,
    { claim, work }: { claim: Claim; work: Work },
  ): Promise<{ answer: StoredAnswer; isStored: boolean }> {
    const answer = await work()
    if (!isSold(answer)) return { answer, isStored: false }
    if (answer.body.length > LONGEST_ANSWER)
      throw new Error(`an answer of ${answer.body.length} bytes is too long to sell`)
    return {
      answer,
      isStored: await ledger.store({ ...claim, request: JSON.stringify(request), answer }),
    }
  }

  async function conclude(
    payment: Payment,
    { fate, paymentId, answer }: { fate: Fate; paymentId: string; answer: StoredAnswer },
  ): Promise<Outcome> {
    switch (fate.kind) {
      case 'settled':
        return answered(payment, { settled: fate.settled, answer, replayed: false })
      case 'failed':
        return { kind: 'refused', reason: fate.reason }
      case 'pending':
        return pending(paymentId)
    }
  }

  async function pending(paymentId: string): Promise<Outcome> {
    const answer = chain ? null : await ledger.giveUnproven(paymentId)
    return answer ? { kind: 'unproven', answer } : { kind: 'pending' }
  }

  return {
    pay: follow,
    find: async (payment) => {
      const outcome = await follow(payment, null)
      return outcome.kind === 'refused' ? null : outcome
    },
    start: reconciler.start,
    close: async () => {
      await reconciler.stop()
      await lease.end()
    },
  }
}

const isSold = ({ statusCode }: StoredAnswer): boolean => statusCode >= 200 && statusCode <= 299

function answered(
  { authorization }: Payment,
  given: { settled: Settled; answer: StoredAnswer; replayed: boolean },
): Outcome {
  const { settled, answer, replayed } = given
  const { transaction, extra, settledAt } = settled
  return {
    kind: 'answered',
    answer,
    receipt: { transaction, payer: authorization.payer, extra },
    settledAt,
    replayed,
  }
}

/** Hash of all signed values and the signature: another signature with the same nonce is another payment. */
function hashOf({ paymentPayload }: FacilitatorRequest): Buffer {
  const { signature, authorization } = paymentPayload.payload
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const parts = [signature, from, to, value, validAfter, validBefore, nonce]
  return hash('sha256', JSON.stringify(parts.map((part) => part.toLowerCase())), 'buffer')
}
