import type { Generated } from 'kysely'
import type { TreatedRole, Treatment } from './legs/roles.ts'

/** Whatever holds coins and has a ledger of its own: a wallet on a network, an account at an exchange, a manual portfolio. */
export interface BookRow {
  id: Generated<string>
  wallet_id: string | null
  network_id: string | null
  connection_id: string | null
  /** manual */
  portfolio_id: string | null
  recorded_at: Generated<Date>
}

/** The book of each portfolio; none while nothing was computed for it. */
export interface PortfolioBook {
  portfolio_id: string | null
  account_id: string | null
  cost_method: string | null
  book_id: string | null
}

/** End-of-day value and external flow of one book, in USD, BTC and ETH at each instant's own price. */
export interface PlDay {
  book_id: string
  /** end of the day: the UTC midnight that closes it */
  at: Date
  value_usd: string
  value_btc: string
  value_eth: string
  flow_usd: string
  flow_btc: string
  flow_eth: string
  /** a price had to be carried forward */
  stale: boolean
}

/** Balance of one coin at the end of each day on which it changed (sparse). */
export interface BalanceDay {
  book_id: string
  coin_id: string
  at: Date
  raw: string
  decimals: number
}

/** Earliest change not yet in pl_days; taken away by the recompute that covered it. */
export interface PlState {
  book_id: string
  /** null: clean */
  dirty_from: Date | null
  /** earliest price change that the prices kept with the legs do not have yet */
  repriced_from: Date | null
  computed_to: Date | null
  revision: Generated<string>
}

/** A price that changed while a book may have been computed by the one before. */
export interface PriceChangeRow {
  coin_id: string
  from_at: Date
  changed_by: Generated<string>
  /** a transaction that began after it was committed */
  noted_by: string | null
}

/** A computation of a book that may not have seen such a change. */
export interface PlRun {
  book_id: string
  /** the snapshot before its first price */
  began_with: string
  noted_by: string | null
}

/** What is looked at together: one book, all books of a wallet, or those of all portfolios of an account. */
export interface ScopeRow {
  id: Generated<string>
  book_id: string | null
  wallet_id: string | null
  account_id: string | null
  /** its books are other ones since then; null: its transfers are matched */
  dirty_from: Generated<Date | null>
  recorded_at: Generated<Date>
}

/** The computed books of each scope. */
export interface ScopeBook {
  scope_id: string | null
  book_id: string | null
}

/** Own transfers of a scope, each between two of its books: no flow. */
export interface TransferMatch {
  scope_id: string
  coin_id: string
  /** arrived base units */
  raw: string
  decimals: number
  /** what left beyond that: taken by a bridge */
  fee: string
  from_book_id: string
  from_at: Date
  from_tx_id: string
  from_seq: number
  /** kept with the leg; null: the one in force */
  from_price_usd: string | null
  to_book_id: string
  to_at: Date
  to_tx_id: string
  to_seq: number
  to_price_usd: string | null
}

/** The coin rows of a scope by one cost method. */
export interface FoldRow {
  id: Generated<string>
  scope_id: string
  method: 'average' | 'fifo' | 'lifo' | 'hifo'
  /** earliest change not yet in coin_folds; null: clean */
  dirty_from: Generated<Date | null>
  /** null: never yet */
  folded_at: Date | null
  revision: Generated<string>
  recorded_at: Generated<Date>
}

/** Lots and totals of a coin as they stood at the end of each month in which they changed (sparse). */
export interface CoinFoldRow {
  fold_id: string
  coin_id: string
  /** its start */
  month: Date
  quantity: string
  acquired_quantity: string
  disposed_quantity: string
  sold_quantity: string
  uncovered: string
  last_side: 'buy' | 'sell' | null
  last_quantity: string | null
  cost_usd: string
  cost_btc: string
  cost_eth: string
  acquired_usd: string
  acquired_btc: string
  acquired_eth: string
  disposed_usd: string
  disposed_btc: string
  disposed_eth: string
  disposed_cost_usd: string
  disposed_cost_btc: string
  disposed_cost_eth: string
  sold_usd: string
  sold_btc: string
  sold_eth: string
  last_usd: string | null
  last_btc: string | null
  last_eth: string | null
  /** open lots in the order in which they came in, see fold-rows.ts; null: at average cost they are one */
  lots_usd: unknown
  lots_btc: unknown
  lots_eth: unknown
  recorded_at: Generated<Date>
}

/** What changed holdings in the last 24 hours before the fold. */
export interface CoinMoveRow {
  fold_id: string
  at: Date
  seq: number
  coin_id: string
  quantity: string
  is_trade: boolean
  amount_usd: string
  amount_btc: string
  amount_eth: string
  market_usd: string
  market_btc: string
  market_eth: string
  recorded_at: Generated<Date>
}

/** How an operator has one book treat what came in for nothing. */
export interface RoleTreatmentRow {
  book_id: string
  role: TreatedRole
  treatment: Treatment
  /** the user who typed the command */
  asked_by: string
  asked_at: Date
}

declare module '../schema.ts' {
  interface Database {
    folds: FoldRow
    coin_folds: CoinFoldRow
    coin_moves: CoinMoveRow
    books: BookRow
    portfolio_books: PortfolioBook
    scopes: ScopeRow
    scope_books: ScopeBook
    pl_days: PlDay
    balance_days: BalanceDay
    pl_states: PlState
    price_changes: PriceChangeRow
    pl_runs: PlRun
    transfer_matches: TransferMatch
    role_treatments: RoleTreatmentRow
  }
}
