import type { Generated, GeneratedAlways } from 'kysely'
import type { LabelRole } from '../pnl/legs/roles.ts'

/**
 * Blocks with stored rows, and of a followed network each block until it is confirmed. Their parent hashes
 * reveal a reorg.
 */
export interface Block {
  network_id: string
  number: string
  hash: string
  /** null: the source does not state it */
  parent_hash: string | null
  at: Date
  source: string
  fetched_at: Date
}

export interface Wallet {
  id: GeneratedAlways<string>
  /** canonical form: see db/values/wallet-address.ts */
  address: string
  created_at: Generated<Date>
}

export interface WalletSync {
  wallet_id: string
  network_id: string
  requested_at: Generated<Date>
  /** last block whose rows are committed */
  cursor_block: Generated<string>
  /** head seen when the running sync started */
  head_block: string | null
  /** last block whose wallet transactions and movements are derived from the raw rows */
  normalised_block: Generated<string>
  /** version of the oldest wallet transaction: see stored-transaction.ts */
  format_version: Generated<number>
  /** version of the wallet transactions up to normalised_block */
  normalised_version: Generated<number>
  /** null until the first sync reached its head */
  synced_at: Date | null
  /** when the balances were stored that are served until then; null: none */
  balances_at: Date | null
  /** a `Walk` of sync-progress.ts; null: no range is half read */
  walk: unknown
  /** blocks that no source gives the history of, and why, in words for operators */
  gap_from: string | null
  gap_to: string | null
  gap_reason: string | null
  /** first block that the follower matches for the wallet; null: it has still to take it up, not before the time below */
  covered_from: string | null
  paused_until: Date | null
  failed_at: Date | null
  failure: string | null
  recorded_at: Generated<Date>
}

/** Accounts of a wallet whose history is read separately, and how far each is read. */
export interface WalletAccountRow {
  wallet_id: string
  network_id: string
  account: string
  /** wallet: its own address; address: of an extended key or a stake address; token: a token account */
  role: string
  /** block up to which its history is stored */
  read_block: Generated<string>
  /** newest stored transaction; null if the source does not page by transaction */
  newest: string | null
  /** balances at the last check; null: never checked */
  seen: string | null
  /** block in which they were first seen so */
  seen_block: string | null
  /** of the wallet's own account: when its token accounts were last listed */
  listed_at: Date | null
  source: string
  fetched_at: Date
}

export interface Token {
  network_id: string
  address: string
  symbol: string | null
  name: string | null
  /** null when the contract does not state it; never assumed */
  decimals: number | null
  /** a coin of `coins`, else '<address>_<blockchain>' */
  coin_id: string
  /** null: not spam */
  spam_reason: string | null
  source: string
  fetched_at: Date
  recorded_at: Generated<Date>
}

/** Raw chain transactions that touch a tracked wallet. */
export interface Transaction {
  network_id: string
  hash: string
  block_number: string
  block_hash: string
  at: Date
  tx_index: number
  from_address: string
  to_address: string | null
  value: string
  fee: string
  success: boolean
  /** first four bytes of the call data */
  selector: string | null
  source: string
  fetched_at: Date
}

export interface Transfer {
  network_id: string
  tx_hash: string
  /** what each one is: `TransferKind` of activities/chain/chain-data.ts */
  kind: string
  /** log index; 0 for native and mint; hash of the row for internal; index of the withdrawal, input, output or account */
  position: number
  /** ordinal inside one ERC-1155 batch log */
  item: Generated<number>
  token_address: string | null
  token_id: string | null
  from_address: string
  to_address: string
  raw: string
  /** distinct receivers of the token in the transaction */
  fan_out: Generated<number>
  block_number: string
  block_hash: string
  at: Date
  source: string
  fetched_at: Date
}

/** One row per transaction of a wallet on a network, in served form. */
export interface WalletTransaction {
  wallet_id: string
  network_id: string
  at: Date
  block_number: string
  block_hash: string
  /** order within one instant: block number (mod 2,000) and index */
  tx_index: number
  hash: string
  type: string
  coin_ids: string[]
  /** false when every coin in it is unidentified or spam */
  identified: boolean
  main_coin_id: string | null
  main_symbol: string | null
  main_count: string | null
  /** at the price of the transaction's instant; null when never priced */
  main_value_usd: string | null
  /** JSON object of the other response fields; amounts of money in USD */
  fragment: string
  source: string
  fetched_at: Date
}

/** Signed legs of wallet transactions, the input of P&L: positive in, negative out. */
export interface Movement {
  wallet_id: string
  network_id: string
  at: Date
  block_number: string
  block_hash: string
  /** as in wallet_transactions; -1 and 2^31-1: before and after all transactions */
  tx_index: number
  tx_hash: string
  seq: number
  role: string
  coin_id: string
  /** signed base units */
  raw: string
  decimals: number
  counterparty: string | null
  /** price at the instant; null when never priced */
  price_usd: string | null
  price_at: Date | null
  price_source: string | null
  source: string
  fetched_at: Date
}

export interface Balance {
  wallet_id: string
  network_id: string
  coin_id: string
  /** null for the native asset */
  token_address: string | null
  raw: string
  decimals: number | null
  block_number: string
  block_hash: string
  source: string
  fetched_at: Date
}

/** Number of rows in a series of wallet transactions: of one network, or of the synced networks of `all` (''). */
export interface WalletTransactionCount {
  wallet_id: string
  series: string
  rows: string
  /** changes with every change of the series; null: not changed since revisions were introduced */
  revision: string | null
}

/** Every 50th row of a series; pages start at these. */
export interface WalletTransactionAnchor {
  wallet_id: string
  series: string
  /** position of the row in its series, counted from the oldest */
  rank: string
  at: Date
  network_id: string
  tx_index: number
  hash: string
}

/** Role that an operator assigned to a movement; survives later syncs. */
export interface MovementLabel {
  wallet_id: string
  network_id: string
  tx_hash: string
  seq: number
  role: LabelRole
  source: string
  fetched_at: Date
}

/** Syncs that reads of one asker started at one time. */
export interface FirstSyncs {
  /** id of the account, or 'gateway' */
  asker: string
  asked_at: Generated<Date>
  syncs: number
}

/** Tokens of spam that a wallet has moved. A token that is spam no longer keeps its row. */
export interface WalletSpam {
  wallet_id: string
  network_id: string
  /** <address>_<blockchain> */
  coin_id: string
}

/** Sync requests that the API accepted. */
export interface SyncRequest {
  /** sync:<address>:<network> */
  workflow_id: string | null
  requested_at: Date | null
}

declare module '../schema.ts' {
  interface Database {
    blocks: Block
    wallets: Wallet
    wallet_syncs: WalletSync
    wallet_accounts: WalletAccountRow
    tokens: Token
    transactions: Transaction
    transfers: Transfer
    wallet_transactions: WalletTransaction
    movements: Movement
    balances: Balance
    wallet_spam: WalletSpam
    wallet_transaction_counts: WalletTransactionCount
    wallet_transaction_anchors: WalletTransactionAnchor
    sync_requests: SyncRequest
    first_syncs: FirstSyncs
    movement_labels: MovementLabel
  }
}
