import type pg from 'pg'
import { sqlStateOf, UNIQUE_VIOLATION } from '../sql-state.ts'
import { functionsOf } from './functions.ts'

/** One authorization: nobody pays twice with it. Hex in lower case. */
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
  /** SHA-256 of what is asked for. */
  resourceKey: Buffer
  /** SHA-256 of all that was signed, and the signature. */
  authorizationHash: Buffer
  validBefore: Date
  owner: string
  /** How long the answer to a settled payment is given again. */
  replaySeconds: number
}

/** Where the chain has a payment, and to whom. */
export interface PlacedPayment {
  blockNumber: bigint
  payTo: string
}

/** A payment that was proven: by which transaction, with what words of the facilitator, when it was recorded. */
export interface Settled {
  transaction: string
  extra: Record<string, unknown>
  settledAt: Date
}

/**
 * `busy`: another request is at it; `pending`: whether it was charged is not known; `refused`: it is used up, or ends
 * too soon.
 */
export type ClaimResult =
  | { outcome: 'claimed'; paymentId: string; claim: string; claimedAt: Date }
  | { outcome: 'busy' }
  | { outcome: 'pending'; paymentId: string }
  | { outcome: 'settled'; settled: Settled; answer: StoredAnswer }
  | { outcome: 'refused'; reason: string }

/** A payment whose fate is not known, in the hands of the process that took it. */
export interface OpenPayment {
  paymentId: string
  authorization: Authorization
  amount: bigint
  /** JSON for the facilitator. */
  request: string
  claimedAt: Date
  /** The facilitator was, to settle it. Otherwise it may have been verified or not, and settled or not. */
  asked: boolean
  /** The authorization is over. */
  ended: boolean
  /** It is over for so long that no facilitator will settle it any more. */
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

/** A transaction that is to prove a payment has paid for another call. */
export class TransactionNotNew extends Error {}

export type PaymentLedger = ReturnType<typeof createPaymentLedger>

/** The payment functions of the database. `pool` connects as role `gateway`, which may use nothing else. */
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

    /** The authorization was not used and can be used again. False: the payment is in other hands by now. */
    async release({ paymentId, claim }: { paymentId: string; claim: string }): Promise<boolean> {
      const [row] = await run<{ release_payment: boolean }>('release_payment', [paymentId, claim])
      return row!.release_payment
    },

    /** When it resolves to true the answer is safe: once it is verified, the facilitator may be asked to settle. */
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

    /** Null: it has failed before. Not `durable`: a crash of the database may lose it. Throws TransactionNotNew. */
    async settle(proof: {
      paymentId: string
      transaction: string
      extra: Record<string, unknown>
      durable: boolean
      /** Null: no node was asked. */
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

    /** It was not and will not be charged. */
    async fail({ paymentId, reason }: { paymentId: string; reason: string }): Promise<void> {
      await run('fail_payment', [paymentId, reason])
    },

    /** It is not known whether it was charged. `asked`: the facilitator was, to settle it. */
    async doubt(doubt: {
      paymentId: string
      reason: string
      nonceUsed: boolean
      asked: boolean
    }): Promise<void> {
      await run('doubt_payment', [doubt.paymentId, doubt.reason, doubt.nonceUsed, doubt.asked])
    },

    /** Payments of unknown fate that no living process has in hand. `paymentId`: only this one. */
    async takeOpen(take: { owner: string; paymentId?: string; atMost: number }): Promise<OpenPayment[]> {
      const rows = await run<OpenRow>('take_open_payments', [take.owner, take.paymentId ?? null, take.atMost])
      return rows.map(toOpenPayment)
    },

    /** See `answer_unproven_payment`; null: not this one, or not any more. */
    async giveUnproven(paymentId: string): Promise<StoredAnswer | null> {
      const [row] = await run<AnswerRow>('answer_unproven_payment', [paymentId])
      return row ? toAnswer(row) : null
    },

    /** The process lives for four more seconds. */
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

/** Payments of one state whose fate is open. */
export interface OpenPaymentCount {
  state: string
  payments: string
  /** Age of the oldest. */
  oldestS: number
}

/** Counts them as role `gateway`, which sees no payment itself. States without any are left out. */
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
