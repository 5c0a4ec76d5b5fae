import type pg from 'pg'
import { sqlStateOf, UNIQUE_VIOLATION } from '../transact.ts'
import { functionsOf } from './functions.ts'

/** Key of one authorization, which can pay only once. Lower-case hex. */
export interface Authorization {
  chainId: number
  asset: string
  payer: string
  nonce: string
}

export interface StoredAnswer {
  statusCode: number
  contentType: string
  body: Buffer
  headers: Record<string, string>
}

export interface NewClaim {
  authorization: Authorization
  /** Base units. */
  amount: bigint
  /** SHA-256 of the requested resource. */
  resourceKey: Buffer
  /** SHA-256 of the signed values and the signature. */
  authorizationHash: Buffer
  validBefore: Date
  owner: string
  /** How long a repeated request gets the stored answer of its settled payment. */
  replaySeconds: number
}

/** Block and payee of a payment on the chain. */
export interface PlacedPayment {
  blockNumber: bigint
  payTo: string
}

/** A proven payment: its transaction, the facilitator's acknowledgement, and when it was recorded. */
export interface Settled {
  transaction: string
  extra: Record<string, unknown>
  settledAt: Date
}

/**
 * `busy`: another request has it; `pending`: unknown whether it was charged; `refused`: used, failed or about
 * to expire.
 */
export type ClaimResult =
  | { outcome: 'claimed'; paymentId: string; claim: string; claimedAt: Date }
  | { outcome: 'busy' }
  | { outcome: 'pending'; paymentId: string }
  | { outcome: 'settled'; settled: Settled; answer: StoredAnswer }
  | { outcome: 'refused'; reason: string }

/** A payment without a known outcome, held by the process that took it. */
export interface OpenPayment {
  paymentId: string
  authorization: Authorization
  amount: bigint
  /** JSON body for the facilitator. */
  request: string
  claimedAt: Date
  /** The facilitator was asked to settle it. If false, it may still have been verified or settled. */
  asked: boolean
  /** The authorization has expired. */
  ended: boolean
  /** It expired so long ago that no facilitator will settle it. */
  abandoned: boolean
}

interface AnswerRow {
  status_code: number
  content_type: string
  headers: Record<string, string>
  body: Buffer
}

interface ClaimRow extends AnswerRow {
  outcome: ClaimResult['outcome']
  payment_id: string
  claim: string
  claimed_at: Date
  reason: string
  transaction: string
  extra: string
  settled_at: Date
}

interface OpenRow {
  payment_id: string
  chain_id: number
  asset: string
  payer: string
  nonce: string
  amount: string
  request: string
  claimed_at: Date
  asked: boolean
  ended: boolean
  abandoned: boolean
}

/** The transaction that should prove a payment has already paid for another call. */
export class TransactionNotNew extends Error {}

export type PaymentLedger = ReturnType<typeof createPaymentLedger>

/**
 * The payment functions of the database. `pool` connects as role `gateway`, which has no access to the
 * tables.
 */
export function createPaymentLedger(pool: pg.Pool) {
  const run = functionsOf(pool)
  return {
    async claim(claim: NewClaim): Promise<ClaimResult> {
      const { chainId, asset, payer, nonce } = claim.authorization
      const [row] = await run<ClaimRow>('claim_payment', [
        chainId,
        asset,
        payer,
        nonce,
        String(claim.amount),
        claim.resourceKey,
        claim.authorizationHash,
        claim.validBefore,
        claim.owner,
        claim.replaySeconds,
      ])
      return toClaimResult(row!)
    },

    /**
     * Releases a claim, so that the authorization can be used again. False: another process took the payment
     * over.
     */
    async release({ paymentId, claim }: { paymentId: string; claim: string }): Promise<boolean> {
      const [row] = await run<{ release_payment: boolean }>('release_payment', [paymentId, claim])
      return row!.release_payment
    },

    /** true: the answer is committed, so once verified, the payment may be sent to settle. */
    async store(stored: {
      paymentId: string
      claim: string
      request: string
      answer: StoredAnswer
    }): Promise<boolean> {
      const { paymentId, claim, request, answer } = stored
      const [row] = await run<{ store_payment: boolean }>('store_payment', [
        paymentId,
        claim,
        request,
        answer.statusCode,
        answer.contentType,
        JSON.stringify(answer.headers),
        answer.body,
      ])
      return row!.store_payment
    },

    /**
     * null: the payment failed before. Not `durable`: a database crash may lose it. Throws TransactionNotNew.
     */
    async settle(proof: {
      paymentId: string
      transaction: string
      extra: Record<string, unknown>
      durable: boolean
      /** null: no node was asked. */
      placed: PlacedPayment | null
    }): Promise<Settled | null> {
      const { paymentId, transaction, extra, durable, placed } = proof
      const [row] = await run<{ settled_transaction: string; settled_extra: string; settled_at: Date }>(
        'settle_payment',
        [
          paymentId,
          transaction,
          JSON.stringify(extra),
          durable,
          placed ? String(placed.blockNumber) : null,
          placed?.payTo.toLowerCase() ?? null,
        ],
      ).catch((error: unknown) => {
        throw sqlStateOf(error) === UNIQUE_VIOLATION ? new TransactionNotNew() : error
      })
      if (!row) return null
      return toSettled({
        transaction: row.settled_transaction,
        extra: row.settled_extra,
        settled_at: row.settled_at,
      })
    },

    /** Records that the payment was not and will never be charged. */
    async fail({ paymentId, reason }: { paymentId: string; reason: string }): Promise<void> {
      await run('fail_payment', [paymentId, reason])
    },

    /** Records that it is unknown whether it was charged. `asked`: the facilitator was asked to settle it. */
    async doubt(doubt: {
      paymentId: string
      reason: string
      nonceUsed: boolean
      asked: boolean
    }): Promise<void> {
      await run('doubt_payment', [doubt.paymentId, doubt.reason, doubt.nonceUsed, doubt.asked])
    },

    /** Takes payments without a known outcome that no live process holds. `paymentId`: only this one. */
    async takeOpen(take: { owner: string; paymentId?: string; atMost: number }): Promise<OpenPayment[]> {
      const rows = await run<OpenRow>('take_open_payments', [take.owner, take.paymentId ?? null, take.atMost])
      return rows.map(toOpenPayment)
    },

    /** See `answer_unproven_payment`. null: not allowed for this payment, or already given. */
    async giveUnproven(paymentId: string): Promise<StoredAnswer | null> {
      const [row] = await run<AnswerRow>('answer_unproven_payment', [paymentId])
      return row ? toAnswer(row) : null
    },

    /** Renews the lease of the process for 4 seconds. */
    async renewOwner(owner: string): Promise<void> {
      await run('renew_payment_owner', [owner])
    },

    async endOwner(owner: string): Promise<void> {
      await run('end_payment_owner', [owner])
    },

    async clean(): Promise<void> {
      await run('clean_payments', [])
    },
  }
}

/** Payments without a known outcome in one state. */
export interface OpenPaymentCount {
  state: string
  payments: string
  /** Age of the oldest in seconds. */
  oldestS: number
}

/**
 * Counts open payments by state as role `gateway`, which cannot read the table. States without any are
 * omitted.
 */
export async function countOpenPayments(pool: pg.Pool): Promise<OpenPaymentCount[]> {
  type Row = Pick<OpenPaymentCount, 'state' | 'payments'> & { oldest_s: OpenPaymentCount['oldestS'] }
  const rows = await functionsOf(pool)<Row>('count_open_payments', [])
  return rows.map(({ state, payments, oldest_s: oldestS }) => ({ state, payments, oldestS }))
}

function toClaimResult(row: ClaimRow): ClaimResult {
  const { outcome, payment_id: paymentId } = row
  switch (outcome) {
    case 'claimed':
      return { outcome, paymentId, claim: row.claim, claimedAt: row.claimed_at }
    case 'settled':
      return { outcome, settled: toSettled(row), answer: toAnswer(row) }
    case 'pending':
      return { outcome, paymentId }
    case 'refused':
      return { outcome, reason: row.reason }
    case 'busy':
      return { outcome }
  }
}

const toAnswer = (row: AnswerRow): StoredAnswer => ({
  statusCode: row.status_code,
  contentType: row.content_type,
  headers: row.headers,
  body: row.body,
})

const toSettled = (row: Pick<ClaimRow, 'transaction' | 'extra' | 'settled_at'>): Settled => ({
  transaction: row.transaction,
  extra: JSON.parse(row.extra) as Record<string, unknown>,
  settledAt: row.settled_at,
})

const toOpenPayment = (row: OpenRow): OpenPayment => ({
  paymentId: row.payment_id,
  authorization: { chainId: row.chain_id, asset: row.asset, payer: row.payer, nonce: row.nonce },
  amount: BigInt(row.amount),
  request: row.request,
  claimedAt: row.claimed_at,
  asked: row.asked,
  ended: row.ended,
  abandoned: row.abandoned,
})
