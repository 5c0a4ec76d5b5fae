import type { Generated } from 'kysely'

/** A process of the gateway. */
export interface PaymentOwner {
  id: string
  alive_until: Date
}

export type PaymentState = 'claimed' | 'settling' | 'settled' | 'failed' | 'unknown' | 'lost'

/** One authorization that a payer has presented. Addresses and hashes are hex in lower case. */
export interface PaymentRow {
  id: Generated<string>
  chain_id: number
  asset: string
  payer: string
  nonce: string
  /** base units of the asset */
  amount: string
  /** what it was first used for */
  resource_key: Buffer
  /** of all that was signed, and the signature */
  authorization_hash: Buffer
  valid_before: Date
  state: Generated<PaymentState>
  /** of the request that claimed it */
  claim: string
  /** the process that has it in hand */
  owner: string | null
  /** until then it is its owner's, while that one lives */
  try_after: Date
  /** how often the facilitator was asked to settle it */
  settles: Generated<number>
  /** the facilitator found the nonce used: paid, or cancelled */
  nonce_used: Generated<boolean>
  /** body for the facilitator, with the signature; null once final */
  request: string | null
  transaction: string | null
  /** JSON of the facilitator's acknowledgement */
  extra: string | null
  last_error: string | null
  claimed_at: Generated<Date>
  settled_at: Date | null
  /** that holds the transaction; null: no node was asked */
  block_number: string | null
  /** who was paid; null as long as block_number is */
  pay_to: string | null
  /** when its answer was given without a proof of payment */
  unproven_at: Date | null
}

/** What a payer is owed, or may fetch again. */
export interface PaymentAnswer {
  payment_id: string
  status_code: number
  content_type: string
  headers: unknown
  body: Buffer
  expires_at: Date
}

/** A session of the gateway, or several, that are over before their hour. */
export interface RevokedSession {
  /** hash of the transaction that paid for one, or address of who paid for several; in lower case */
  subject: string
  /** those that were paid for until then */
  revoked_at: Generated<Date>
}

declare module '../schema.ts' {
  interface Database {
    payment_owners: PaymentOwner
    payments: PaymentRow
    payment_answers: PaymentAnswer
    revoked_sessions: RevokedSession
  }
}
