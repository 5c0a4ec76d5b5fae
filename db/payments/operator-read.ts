import type { Db } from '../schema.ts'
import type { PaymentState } from './tables.ts'

/** Lists payments for the operator, newest first. Amounts in base units of the asset. */
export function listPayments(db: Db, { state, limit }: { state?: PaymentState; limit: number }) {
  return db
    .selectFrom('payments')
    .select(['id', 'state', 'amount', 'payer', 'claimed_at', 'settled_at', 'transaction', 'last_error'])
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Reads one payment without its signature and the body of its answer. */
export function findPayment(db: Db, paymentId: string) {
  return db
    .selectFrom('payments')
    .leftJoin('payment_answers', 'payment_answers.payment_id', 'payments.id')
    .select(['id', 'state', 'chain_id', 'asset', 'payer', 'nonce', 'amount', 'transaction', 'extra'])
    .select(['claimed_at', 'valid_before', 'settled_at', 'unproven_at', 'settles', 'try_after', 'last_error'])
    .select(['status_code', 'content_type', 'expires_at'])
    .select((query) => query.fn<number | null>('octet_length', ['body']).as('answer_bytes'))
    .where('id', '=', paymentId)
    .executeTakeFirst()
}

/** Number and total amount of payments by state. */
export function countPayments(db: Db) {
  return db
    .selectFrom('payments')
    .select(['state'])
    .select((query) => [
      query.fn.countAll<string>().as('payments'),
      query.fn.sum<string>('amount').as('amount'),
    ])
    .groupBy('state')
    .orderBy('state')
    .execute()
}
