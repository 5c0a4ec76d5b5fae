import { sql } from 'kysely'
import type { UsageDay } from '../account/read-account.ts'
import type { ReadonlyDb } from '../schema.ts'
import type { PaymentState } from '../payments/tables.ts'
import { readSql } from '../read-sql.ts'

/** Usage of all accounts together in the last 30 days. */
export function readUsageOfAll(db: ReadonlyDb): Promise<UsageDay[]> {
  return readSql(
    db,
    sql<UsageDay>`
      select day::text, endpoint, calls::float8 as calls, credits::float8 as credits from operations.usage
      order by day, endpoint`,
  )
}

export interface Customer {
  id: string
  name: string
  plan: string
  /** Calls and credits of the last 30 days. */
  calls: number
  credits: number
  /** Credits granted and used in the current period; null: no period is open. */
  granted: number | null
  posted: number | null
}

/** Accounts that spent the most credits in the last 30 days. */
export function readTopCustomers(db: ReadonlyDb, { limit }: { limit: number }): Promise<Customer[]> {
  return readSql(
    db,
    sql<Customer>`
      select id, name, plan, calls::float8 as calls, credits::float8 as credits, granted::float8 as granted,
        posted::float8 as posted
      from operations.customers order by credits desc, id limit ${limit}`,
  )
}

export interface PaymentDay {
  /** YYYY-MM-DD, UTC. */
  day: string
  state: PaymentState
  payments: number
  /** Base units of USDC. */
  amount: string
}

/** Payments of the last 30 days by day and state. */
export function readPaymentDays(db: ReadonlyDb): Promise<PaymentDay[]> {
  return readSql(
    db,
    sql<PaymentDay>`
      select day::text, state, payments, amount::text as amount from operations.payment_days order by day, state`,
  )
}

export interface OpenPayment {
  id: string
  state: PaymentState
  /** Base units of USDC. */
  amount: string
  claimedAt: Date
  /** How often the facilitator was asked to settle it. */
  settles: number
  lastError: string | null
}

/** Payments whose outcome is not known yet, oldest first. */
export function readOpenPayments(db: ReadonlyDb, { limit }: { limit: number }): Promise<OpenPayment[]> {
  return readSql(
    db,
    sql<OpenPayment>`
      select id, state, amount::text as amount, claimed_at as "claimedAt", settles, last_error as "lastError"
      from operations.open_payments order by claimed_at limit ${limit}`,
  )
}
