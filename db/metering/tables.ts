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
  /** agreed for this account alone; null: as the plan says */
  credits_per_month: string | null
  requests_per_second: number | null
  /** start of period 0; period n starts n whole months later */
  anchor_at: Generated<Date>
  created_at: Generated<Date>
  /** the subscription that sharing needs */
  degen: Generated<boolean>
  /** of all of its portfolios together */
  cost_method: Generated<'average' | 'fifo' | 'lifo' | 'hifo'>
}

export interface ApiKey {
  /** SHA-256 of the key; the key itself is not stored */
  hash: Buffer
  account_id: string
  /** what lists show of the key */
  prefix: string
  name: string
  created_at: Generated<Date>
  revoked_at: Date | null
  /** opens GET alone */
  read_only: Generated<boolean>
  /** tags and endpoints of the route table; null: all */
  opens: string[] | null
  expires_at: Date | null
}

/** Who an account is to an OpenID provider. */
export interface Identity {
  issuer: string
  subject: string
  account_id: string
  created_at: Generated<Date>
}

/** Who may see the operators' console. */
export interface Operator {
  issuer: string
  subject: string
  created_at: Generated<Date>
}

/** Who is signed in to the pages. */
export interface PageSession {
  /** SHA-256 of what its cookie holds */
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
  /** one of an account: everything is charged to it */
  is_open: Generated<boolean>
  /** of `granted`: top-ups */
  topped_up: Generated<string>
  /** written into the top-ups already */
  topups_spent: Generated<string>
  /** until then the row is right as it stands */
  fresh_until: Date
}

/** A top-up: spent after the plan's credits, the one that expires next first. */
export interface CreditGrant {
  /** the caller's: the same twice is one top-up */
  id: string
  account_id: string
  credits: string
  spent: Generated<string>
  expires_at: Date
  created_at: Generated<Date>
}

/** Insert-only: the charges of an account's period less its refunds equal its `posted`. */
export interface LedgerEntry {
  request_id: string
  kind: 'charge' | 'refund' | 'adjust'
  account_id: string
  n: number
  credits: string
  endpoint: string
  /** what multiplied the price; null for a fixed one */
  price_input: string | null
  at: Generated<Date>
}

/** What the ledger adds up to by day (UTC) and endpoint. */
export interface UsageDay {
  account_id: string
  day: Date
  endpoint: string
  /** that were charged */
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
