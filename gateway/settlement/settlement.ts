import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  type Authorization,
  type OpenPayment,
  type PaymentLedger,
  type Settled,
  TransactionNotNew,
} from '../../db/payments/ledger.ts'
import type { ChainProof, ChainReader } from '../chain/chain-reader.ts'
import type { Facilitator, FacilitatorRequest, Settlement } from './facilitator-client.ts'

/** A payment whose answer is stored. */
export interface Settleable {
  paymentId: string
  authorization: Authorization
  amount: bigint
  request: FacilitatorRequest
  claimedAt: Date
}

/** `failed`: the payer is never charged; `pending`: not known yet. */
export type Fate =
  | { kind: 'settled'; settled: Settled }
  | { kind: 'failed'; reason: string }
  | { kind: 'pending' }

type OpenState = Pick<OpenPayment, 'asked' | 'ended' | 'abandoned'>

export type SettlementSteps = ReturnType<typeof createSettlement>

interface SettlementDeps {
  ledger: PaymentLedger
  facilitator: Facilitator
  /** null: no node, only the facilitator can be asked. */
  chain: ChainReader | null
  logger: Pick<Logger, 'warn' | 'error'>
}

/**
 * Refusals which prove that the authorization was not sent. All other codes leave it open: facilitators
 * return `nonce_already_used` for a payment just made, and `transaction_failed` when their own account nonces
 * are off.
 */
const UNSENT = new Set([
  'insufficient_funds',
  'invalid_network',
  'invalid_payload',
  'invalid_payment_requirements',
  'invalid_scheme',
  'unsupported_scheme',
  'invalid_x402_version',
  'asset_not_deployed_contract',
  'eip6492_factory_not_allowed',
  ...[
    'signature',
    'recipient_mismatch',
    'network_mismatch',
    'insufficient_balance',
    'token_name_mismatch',
    'token_version_mismatch',
    'scheme',
    'authorization_value',
    'missing_eip712_domain',
    'eip3009_not_supported',
    'failed_to_parse_signature',
    'payload_signature',
    'payload_recipient_mismatch',
    'payload_authorization_valid_after',
    'payload_authorization_valid_before',
    'payload_authorization_value_mismatch',
  ].map((code) => `invalid_exact_evm_${code}`),
])
const NONCE_USED = /nonce_already_used$/
/** The payer may have used the authorization well before it was presented. */
export const LOOK_BACK_MS = 60 * 60_000
/** How long a node may take to show a transaction that the facilitator has confirmed. */
const NODE_LAG_MS = 3_000

/**
 * Settles payments whose answers are stored: asks the facilitator and the chain, and records what they prove.
 */
export function createSettlement({ ledger, facilitator, chain, logger }: SettlementDeps) {
  /** Returns the chain's proof; null: no node, or no answer. */
  async function ask(payment: Settleable, transaction?: string): Promise<ChainProof | null> {
    if (!chain) return null
    const { authorization, amount, request, claimedAt, paymentId } = payment
    return chain
      .find({
        authorization,
        amount,
        payTo: request.paymentRequirements.payTo,
        validBefore: new Date(Number(request.paymentPayload.payload.authorization.validBefore) * 1000),
        since: new Date(claimedAt.getTime() - LOOK_BACK_MS),
        ...(transaction && { transaction }),
      })
      .catch((error: Error) => {
        logger.warn(
          { paymentId, err: { message: error.message } },
          'the node could not tell the outcome of a payment',
        )
        return null
      })
  }

  /** `blockNumber`: block of the transaction; null: no node was asked. */
  async function record(
    { paymentId, request }: Settleable,
    given: { transaction: string; extra: Record<string, unknown>; blockNumber: bigint | null },
  ): Promise<Fate> {
    const { blockNumber, ...proof } = given
    const { payTo } = request.paymentRequirements
    const placed = blockNumber === null ? null : { blockNumber, payTo }
    try {
      // With a node the commit need not be durable, because a lost record can be rebuilt from the chain.
      const settled = await ledger.settle({ paymentId, ...proof, durable: chain === null, placed })
      if (settled) return { kind: 'settled', settled }
      logger.error({ paymentId, transaction: proof.transaction }, 'a payment recorded as failed was charged')
      return { kind: 'pending' }
    } catch (error) {
      if (!(error instanceof TransactionNotNew)) throw error
      logger.error(
        { paymentId, transaction: proof.transaction },
        'the facilitator names one transaction for two payments',
      )
      return doubt(paymentId, 'transaction_not_new')
    }
  }

  /** `asked`: the facilitator was asked to settle it. */
  async function doubt(paymentId: string, reason: string, asked = true): Promise<Fate> {
    await ledger.doubt({ paymentId, reason, nonceUsed: NONCE_USED.test(reason), asked })
    return { kind: 'pending' }
  }

  async function fail(paymentId: string, reason: string): Promise<Fate> {
    await ledger.fail({ paymentId, reason })
    return { kind: 'failed', reason }
  }

  /** null: the chain does not decide it. */
  async function recordProof(payment: Settleable, proof: ChainProof | null): Promise<Fate | null> {
    if (proof?.kind === 'paid') {
      const { transaction, blockNumber } = proof
      return record(payment, { transaction, blockNumber, extra: {} })
    }
    if (proof?.kind === 'void') return fail(payment.paymentId, proof.reason)
    return null
  }

  async function recordSuccess(payment: Settleable, answer: Settlement & { kind: 'success' }): Promise<Fate> {
    const { transaction, extra } = answer
    if (!chain) return record(payment, { transaction, extra, blockNumber: null })
    for (let waitedMs = 0; ; waitedMs += 200) {
      const proof = await ask(payment, transaction)
      if (proof?.kind === 'paid')
        return record(payment, {
          transaction: proof.transaction,
          blockNumber: proof.blockNumber,
          extra: proof.transaction === transaction ? extra : {},
        })
      if (proof?.kind !== 'unused' || waitedMs >= NODE_LAG_MS) {
        if (proof)
          logger.error(
            { paymentId: payment.paymentId, transaction },
            'the facilitator named a transaction that the chain does not have',
          )
        return (await recordProof(payment, proof)) ?? doubt(payment.paymentId, 'success_not_on_chain')
      }
      await sleep(200)
    }
  }

  /**
   * Asks the facilitator to settle. `isFirst`: it was never asked before, so a refusal means that nothing was
   * sent.
   */
  async function settle(payment: Settleable, { isFirst }: { isFirst: boolean }): Promise<Fate> {
    const { paymentId, request } = payment
    const answer = await facilitator.settle(request)
    if (answer.kind === 'success') return recordSuccess(payment, answer)
    const { reason } = answer
    if (answer.kind === 'unclear' && answer.lie)
      logger.error({ paymentId, reason }, 'the answer of the facilitator contradicts the request')
    else logger.warn({ paymentId, reason }, 'a settlement was not confirmed')
    const proof = await ask(payment)
    const fate = await recordProof(payment, proof)
    if (fate) return fate
    if (answer.kind === 'refused' && (proof || !chain)) {
      const isReverted = answer.transaction !== null && !chain
      if (isReverted || (isFirst && UNSENT.has(reason))) return fail(paymentId, reason)
    }
    return doubt(paymentId, reason)
  }

  /**
   * Tries again to resolve a payment of unknown fate: checks the chain, then asks the facilitator again.
   * `presented`: a client presents it now. Otherwise one that was never sent to settle is left alone: its
   * payer may have paid anew.
   */
  async function resolve(
    payment: Settleable & OpenState,
    { presented }: { presented: boolean },
  ): Promise<Fate> {
    const { paymentId, asked, ended, abandoned } = payment
    if (chain) {
      const proof = await ask(payment)
      const fate = await recordProof(payment, proof)
      if (fate) return fate
      if (ended || !proof) return doubt(paymentId, proof ? 'waiting_for_a_block' : 'chain_unreachable', asked)
    } else if (abandoned) return doubt(paymentId, 'not_settled_in_time', asked)
    if (!asked && !presented) return doubt(paymentId, 'not_known_to_be_verified', asked)
    return settle(payment, { isFirst: false })
  }

  /**
   * Checks the chain for a payment that the facilitator refused to verify: somebody else may have submitted
   * it, or the facilitator's node may have failed. null: the node does not answer.
   */
  const check = (payment: Settleable): Promise<ChainProof | null> =>
    chain ? ask(payment) : Promise.resolve({ kind: 'unused', blockNumber: 0n })

  return { settle, resolve, check, record }
}
