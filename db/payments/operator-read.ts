import type { Db } from '../connect.ts'
import type { PaymentState } from './tables.ts'

/** Payments as the operator sees them, the newest first. Amounts in base units of the asset. */
export function listPayments(db: Db, { state, limit }: { state?: PaymentState; limit: number }) {
  return db
    .selectFrom('payments')
    .select(['id', 'state', 'amount', 'payer', 'claimed_at', 'settled_at', 'transaction', 'last_error'])
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Everything about one payment but the signature and the answer itself. */
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

/** How many there are in each state, and what they come to. */
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
