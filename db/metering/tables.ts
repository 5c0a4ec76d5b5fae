import type { Generated } from 'kysely'

export type PlanId = 'free' | 'starter' | 'pro' | 'enterprise'

export interface Plan {
  id: PlanId
  credits_per_month: string
  requests_per_second: number
  paid: boolean
}

export interface Account {
  id: Generated<string>
  name: string
  plan: PlanId
  /** agreed for this account; null: the plan's */
  credits_per_month: string | null
  requests_per_second: number | null
  /** start of period 0; period n starts n whole months later */
  anchor_at: Generated<Date>
  created_at: Generated<Date>
  /** allows sharing */
  degen: Generated<boolean>
  /** for all portfolios of the account together */
  cost_method: Generated<'average' | 'fifo' | 'lifo' | 'hifo'>
}

export interface ApiKey {
  /** SHA-256 of the key; the key itself is not stored */
  hash: Buffer
  account_id: string
  /** start of the key, for lists */
  prefix: string
  name: string
  created_at: Generated<Date>
  revoked_at: Date | null
  /** allows GET only */
  read_only: Generated<boolean>
  /** allowed tags and endpoints of the route table; null: all */
  opens: string[] | null
  expires_at: Date | null
}

/** Links a subject at an OpenID provider with an account. */
export interface Identity {
  issuer: string
  subject: string
  account_id: string
  created_at: Generated<Date>
}

/** A subject that may see the operators' console. */
export interface Operator {
  issuer: string
  subject: string
  created_at: Generated<Date>
}

/** A signed-in browser. */
export interface PageSession {
  /** SHA-256 of the cookie's secret */
  hash: Buffer
  issuer: string
  subject: string
  expires_at: Date
}

export interface CreditPeriod {
  account_id: string
  n: number
  starts_at: Date
  ends_at: Date
  granted: string
  posted: Generated<string>
  /** true for one period per account: all charges go to it */
  is_open: Generated<boolean>
  /** the part of `granted` from top-ups */
  topped_up: Generated<string>
  /** top-up credits already written to `credit_grants.spent` */
  topups_spent: Generated<string>
  /** until then the row needs no refresh */
  fresh_until: Date
}

/** A top-up. Spent after the plan's credits, the earliest expiry first. */
export interface CreditGrant {
  /** chosen by the caller: a repeated id adds nothing */
  id: string
  account_id: string
  credits: string
  spent: Generated<string>
  expires_at: Date
  created_at: Generated<Date>
}

/** Insert-only. In each period of an account, charges less refunds equal `posted`. */
export interface LedgerEntry {
  request_id: string
  kind: 'charge' | 'refund' | 'adjust'
  account_id: string
  n: number
  credits: string
  endpoint: string
  /** the input that multiplied the price; null for a fixed price */
  price_input: string | null
  at: Generated<Date>
}

/** Sums of the credit ledger by UTC day and endpoint. */
export interface UsageDay {
  account_id: string
  day: Date
  endpoint: string
  /** number of charged calls */
  calls: string
  /** charges less refunds */
  credits: string
}

export interface RateState {
  account_id: string
  /** GCRA: when the next request would be due at an even pace, in microseconds of Unix time */
  due_us: string
}

export interface IdempotentAnswer {
  account_id: string
  key: string
  /** the request that was charged */
  request_id: string
  fingerprint: Buffer
  body: string
  created_at: Generated<Date>
}

declare module '../schema.ts' {
  interface Database {
    plans: Plan
    accounts: Account
    api_keys: ApiKey
    identities: Identity
    operators: Operator
    page_sessions: PageSession
    credit_periods: CreditPeriod
    credit_grants: CreditGrant
    ledger_entries: LedgerEntry
    usage_days: UsageDay
    rate_states: RateState
    idempotent_answers: IdempotentAnswer
  }
}
