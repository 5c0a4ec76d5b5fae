import type { Generated } from 'kysely'
import type { EXCHANGE_ROLES, LabelRole, Role } from '../pnl/legs/roles.ts'

/** An exchange account. Its credentials are in `exchange_secrets`. */
export interface ExchangeConnection {
  /** the API's portfolio id */
  id: string
  account_id: string
  venue: string
  name: string | null
  /** SHA-256 of account, exchange and API key, to recognise the same connection */
  fingerprint: Buffer
  /** version of the credentials offered last */
  version: number
  /** version of the credentials accepted last; null: none yet */
  active_version: number | null
  refused_version: number | null
  refusal: string | null
  created_at: Generated<Date>
  /** when a sync last completed; null: never */
  synced_at: Date | null
  /** everything up to this instant is stored */
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
  /** rows read so far */
  rows: Generated<string>
  /** when the end of the list was last reached */
  complete_at: Date | null
}

export interface ExchangeBalance {
  connection_id: string
  /** CCXT's unified code of the asset */
  asset: string
  amount: string
  source: string
  fetched_at: Date
}

/** An asset of an exchange. Without coin and currency it is unknown. */
export interface ExchangeAsset {
  venue: string
  asset: string
  coin_id: string | null
  currency: string | null
  /** `symbol`: the best ranked coin with that symbol; `operator`: stated by hand */
  source: string
  fetched_at: Date
}

export type VenueRole = Extract<Role, 'airdrop' | 'interest'>

export type ExchangeTransactionKind = keyof typeof EXCHANGE_ROLES

/** A fill or transfer as the exchange states it. Incoming amounts are positive; a paid fee is positive. */
export interface ExchangeTransaction {
  connection_id: string
  kind: ExchangeTransactionKind
  /** role of the leg if the exchange gives more than the kind; null: the kind's role */
  role: VenueRole | null
  /** the exchange's name of a kind of ledger entries without a meaning here; null: the kind is known */
  unknown_kind: string | null
  /** the exchange's id, with the symbol when ids are unique only within a symbol */
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
  /** true: the asset is a known coin or currency */
  identified: Generated<boolean>
  /** true: the legs are up to date */
  derived: Generated<boolean>
  source: string
  fetched_at: Date
}

/** The change of an asset's balance by a transaction. */
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
  /** price at the leg's instant; null: unknown */
  price_usd: string | null
  source: string
  fetched_at: Date
}

/** The operator's correction of a part of a transaction, kept over later syncs. Part 0 is the rest. */
export interface TransactionPart {
  connection_id: string
  kind: string
  key: string
  part: number
  /** share of each amount of the transaction; null: part 0 */
  share: string | null
  /** role of the moved asset, not of the fee; null: the kind's role */
  role: LabelRole | null
  /** null: the exchange's time */
  at: Date | null
  /** portfolio in which it counts; null: its own account */
  portfolio_id: string | null
  source: string
  fetched_at: Date
}

/** Requests of syncs, the only rows of the outbox that the API may read. */
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
