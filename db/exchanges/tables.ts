import type { Generated } from 'kysely'
import type { EXCHANGE_ROLES, LabelRole, Role } from '../pnl/legs/roles.ts'

/** An account at an exchange. Its credentials stand apart, in `exchange_secrets`. */
export interface ExchangeConnection {
  /** the API's portfolio id */
  id: string
  account_id: string
  venue: string
  name: string | null
  /** SHA-256 of account, exchange and API key: tells a repeat of the same connection */
  fingerprint: Buffer
  /** of the credentials offered last */
  version: number
  /** of those that the exchange accepted last; null: none yet */
  active_version: number | null
  refused_version: number | null
  refusal: string | null
  created_at: Generated<Date>
  /** when a sync was last complete; null: never yet */
  synced_at: Date | null
  /** everything the exchange had until then is stored */
  covered_to: Date | null
  failed_at: Date | null
  failure: string | null
  recorded_at: Generated<Date>
}

/** See db/values/sealed-secret.ts. */
export interface ExchangeSecret {
  connection_id: string
  version: number
  account_id: string
  key_id: string
  wrapped_key: Buffer
  ciphertext: Buffer
  sealed_at: Generated<Date>
}

export interface ExchangeCursor {
  connection_id: string
  stream: string
  /** empty for streams over all symbols */
  symbol: string
  /** where the next page begins */
  position: unknown
  /** rows that it gave so far */
  rows: Generated<string>
  /** when its end was last reached */
  complete_at: Date | null
}

export interface ExchangeBalance {
  connection_id: string
  /** unified code of the exchange's asset */
  asset: string
  amount: string
  source: string
  fetched_at: Date
}

/** Neither coin nor currency: unknown. */
export interface ExchangeAsset {
  venue: string
  asset: string
  coin_id: string | null
  currency: string | null
  /** `symbol`: the best ranked coin of that symbol; `operator`: stated by hand */
  source: string
  fetched_at: Date
}

export type VenueRole = Extract<Role, 'airdrop' | 'interest'>

export type ExchangeTransactionKind = keyof typeof EXCHANGE_ROLES

/** A fill or transfer as the exchange states it. Amounts are signed, positive came in; a fee that was paid is positive. */
export interface ExchangeTransaction {
  connection_id: string
  kind: ExchangeTransactionKind
  /** what moved, where the exchange says more than the kind; null: what the kind says */
  role: VenueRole | null
  /** the exchange's id, with the symbol where ids are unique in it only */
  key: string
  at: Date
  status: 'ok' | 'pending' | 'failed'
  type: 'deposit' | 'withdraw' | 'executed' | 'balance' | 'fee'
  symbol: string | null
  order_id: string | null
  asset: string
  amount: string
  quote_asset: string | null
  quote_amount: string | null
  fee_asset: string | null
  fee_amount: string | null
  network: string | null
  address: string | null
  tx_hash: string | null
  /** its asset is a known coin or currency */
  identified: Generated<boolean>
  /** its legs are up to date */
  derived: Generated<boolean>
  source: string
  fetched_at: Date
}

/** What a transaction did to the balance of an asset. */
export interface ExchangeLeg {
  connection_id: string
  kind: string
  key: string
  role: 'base' | 'quote' | 'fee'
  asset: string
  at: Date
  delta: string
  /** sum of the deltas of the asset up to this leg */
  total: Generated<string>
  /** of its instant; null: unknown */
  price_usd: string | null
  source: string
  fetched_at: Date
}

/** How a part of a transaction counts by the operator's word, kept over later syncs; part 0 is what the others leave. */
export interface TransactionPart {
  connection_id: string
  kind: string
  key: string
  part: number
  /** of each of its amounts; null: part 0 */
  share: string | null
  /** of what moved, not of its fee; null: what the kind says */
  role: LabelRole | null
  /** null: when the exchange says */
  at: Date | null
  /** where it counts; null: in its own account */
  portfolio_id: string | null
  source: string
  fetched_at: Date
}

/** When a sync was last asked for: what the API may see of the outbox. */
export interface ExchangeSyncRequest {
  workflow_id: string | null
  requested_at: Date | null
}

declare module '../schema.ts' {
  interface Database {
    exchange_connections: ExchangeConnection
    exchange_secrets: ExchangeSecret
    exchange_cursors: ExchangeCursor
    exchange_balances: ExchangeBalance
    exchange_assets: ExchangeAsset
    exchange_transactions: ExchangeTransaction
    exchange_legs: ExchangeLeg
    exchange_sync_requests: ExchangeSyncRequest
    transaction_parts: TransactionPart
  }
}
