import { sql } from 'kysely'
import type { PaymentState } from '../payments/tables.ts'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'

export interface ListedPayment {
  id: string
  state: PaymentState
  /** Base units of USDC. */
  amount: string
  claimedAt: Date
  settledAt: Date | null
  transaction: string | null
  lastError: string | null
  /** What operators noted, oldest first. */
  notes: string[]
}

/** Payments, newest first; in one state if given. */
export const readPayments = (
  db: Db | ReadonlyDb,
  { state = null, limit }: { state?: PaymentState | null; limit: number },
): Promise<ListedPayment[]> =>
  readSql(
    db,
    sql<ListedPayment>`
      select id, state, amount::text as amount, claimed_at as "claimedAt", settled_at as "settledAt", transaction,
        last_error as "lastError", notes
      from operations.payments where ${state}::text is null or state = ${state} order by id desc limit ${limit}`,
  )

/** Notes that a payment was given back by hand. false: there is no such payment, or it took no money. */
export async function noteRefund(
  db: Db | ReadonlyDb,
  { paymentId, note, operator }: { paymentId: string; note: string; operator: string },
): Promise<boolean> {
  const [row] = await readSql(
    db,
    sql<{ done: boolean }>`select note_refund(${paymentId}::uuid, ${note}, ${operator}) as done`,
  )
  return row!.done
}

/** What operators noted about a payment, oldest first. */
export async function readRefundNotes(db: Db | ReadonlyDb, paymentId: string): Promise<string[]> {
  const [row] = await readSql(
    db,
    sql<{ notes: string[] }>`select notes from operations.payments where id = ${paymentId}::uuid`,
  )
  return row?.notes ?? []
}
