import type pg from 'pg'
import { functionsOf } from './functions.ts'
import type { Authorization, PlacedPayment } from './ledger.ts'

/** A settled payment to check on the chain again, or a lost one that may have come back. */
export interface PaymentToConfirm extends PlacedPayment {
  paymentId: string
  authorization: Authorization
  amount: bigint
  transaction: string
  claimedAt: Date
  validBefore: Date
  isLost: boolean
}

interface ToConfirmRow {
  payment_id: string
  chain: number
  asset: string
  payer: string
  nonce: string
  amount: string
  pay_to: string
  transaction: string
  block_number: string
  claimed_at: Date
  valid_before: Date
  is_lost: boolean
}

export type ChainLedger = ReturnType<typeof createChainLedger>

/** Payments to compare with the chain. `pool` connects as role `gateway`. */
export function createChainLedger(pool: pg.Pool) {
  const run = functionsOf(pool)
  return {
    /**
     * Returns settled payments since `fromBlock` whose transaction is not in `transactions`, and lost ones.
     */
    async toConfirm(look: {
      chainId: number
      fromBlock: bigint
      transactions: readonly string[]
      atMost: number
    }): Promise<PaymentToConfirm[]> {
      const { chainId, fromBlock, transactions, atMost } = look
      const rows = await run<ToConfirmRow>('payments_to_confirm', [
        chainId,
        String(fromBlock),
        transactions,
        atMost,
      ])
      return rows.map(toPaymentToConfirm)
    },

    /** Marks a payment that is gone from the chain as lost and ends its session. False: already done. */
    async lose(lost: { paymentId: string; transaction: string }): Promise<boolean> {
      const [row] = await run<{ lose_payment: boolean }>('lose_payment', [lost.paymentId, lost.transaction])
      return row!.lose_payment
    },

    /** Returns the nonces of the authorizations that this installation received. */
    async known(
      where: { chainId: number; asset: string },
      authorizations: readonly { payer: string; nonce: string }[],
    ): Promise<Set<string>> {
      const rows = await run<{ known_authorizations: string }>('known_authorizations', [
        where.chainId,
        where.asset,
        authorizations.map(({ payer }) => payer),
        authorizations.map(({ nonce }) => nonce),
      ])
      return new Set(rows.map((row) => row.known_authorizations))
    },
  }
}

/** Counts payments of the last day that a reorg removed. Connects as role `gateway`. */
export async function countLostPayments(pool: pg.Pool): Promise<number> {
  const [row] = await functionsOf(pool)<{ count_lost_payments: string }>('count_lost_payments', [])
  return Number(row!.count_lost_payments)
}

const toPaymentToConfirm = (row: ToConfirmRow): PaymentToConfirm => ({
  paymentId: row.payment_id,
  authorization: { chainId: row.chain, asset: row.asset, payer: row.payer, nonce: row.nonce },
  amount: BigInt(row.amount),
  payTo: row.pay_to,
  transaction: row.transaction,
  blockNumber: BigInt(row.block_number),
  claimedAt: row.claimed_at,
  validBefore: row.valid_before,
  isLost: row.is_lost,
})
