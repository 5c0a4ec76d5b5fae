import type { Generated, GeneratedAlways } from 'kysely'

/** A process of the gateway. */
export interface PaymentOwner {
  id: string
  alive_until: Date
}

export type PaymentState = 'claimed' | 'settling' | 'settled' | 'failed' | 'unknown' | 'lost'

/** One authorization that a payer presented. Addresses and hashes are lower-case hex. */
export interface PaymentRow {
  id: Generated<string>
  chain_id: number
  asset: string
  payer: string
  nonce: string
  /** base units of the asset */
  amount: string
  /** the resource that it was first used for */
  resource_key: Buffer
  /** hash of the signed values and the signature */
  authorization_hash: Buffer
  valid_before: Date
  state: Generated<PaymentState>
  /** id of the claim of the request that has it */
  claim: string
  /** the process that holds it */
  owner: string | null
  /** until then a live owner holds it */
  try_after: Date
  /** number of settle requests to the facilitator */
  settles: Generated<number>
  /** the facilitator found the nonce used: paid or cancelled */
  nonce_used: Generated<boolean>
  /** body for the facilitator, with the signature; null once final */
  request: string | null
  transaction: string | null
  /** JSON of the facilitator's acknowledgement */
  extra: string | null
  last_error: string | null
  claimed_at: Generated<Date>
  settled_at: Date | null
  /** block of the transaction; null: no node was asked */
  block_number: string | null
  /** the payee; null if block_number is null */
  pay_to: string | null
  /** when its answer was sent without proof of payment */
  unproven_at: Date | null
}

/** The stored answer that a payer is owed or may fetch again. */
export interface PaymentAnswer {
  payment_id: string
  status_code: number
  content_type: string
  headers: unknown
  body: Buffer
  expires_at: Date
}

/** What an operator did about a payment outside of the service. */
export interface PaymentNote {
  id: GeneratedAlways<string>
  payment_id: string
  at: Generated<Date>
  operator: string
  note: string
}

/** One or more gateway sessions that were ended before their hour. */
export interface RevokedSession {
  /** transaction hash (one session) or payer address (all of the payer), in lower case */
  subject: string
  /** ends sessions that were paid for until then */
  revoked_at: Generated<Date>
}

declare module '../schema.ts' {
  interface Database {
    payment_owners: PaymentOwner
    payments: PaymentRow
    payment_answers: PaymentAnswer
    payment_notes: PaymentNote
    revoked_sessions: RevokedSession
  }
}
