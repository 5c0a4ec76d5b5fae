import type { Generated } from 'kysely'
import type { TreatedRole, Treatment } from './legs/roles.ts'

/** A holder of coins with its own legs: a wallet on a network, an exchange account or a manual portfolio. */
export interface BookRow {
  id: Generated<string>
  wallet_id: string | null
  network_id: string | null
  connection_id: string | null
  /** only of manual portfolios */
  portfolio_id: string | null
  recorded_at: Generated<Date>
}

/** The book of each portfolio; null before its P&L is computed for the first time. */
export interface PortfolioBook {
  portfolio_id: string | null
  account_id: string | null
  cost_method: string | null
  book_id: string | null
}

/** End-of-day value and flow of one book, in USD, BTC and ETH at each instant's own price. */
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
  /** a price was a day old or older */
  stale: boolean
}

/** Balance of one coin at the end of each day on which it changed (sparse). */
export interface BalanceDay {
  book_id: string
  coin_id: string
  at: Date
  raw: string
  decimals: number
  /** quantity of known cost and what was paid for it, while the coin has no market price; else null */
  paid_quantity: string | null
  paid_usd: string | null
}

/** Earliest change not yet in pl_days; the recompute that covers it clears it. */
export interface PlState {
  book_id: string
  /** null: clean */
  dirty_from: Date | null
  /** earliest leg whose stored price may be older than the one in force; null: none */
  repriced_from: Date | null
  /** latest such leg; may be infinity */
  repriced_to: Generated<Date>
  computed_to: Date | null
  revision: Generated<string>
  /** false with a `dirty_from`: only prices changed */
  legs_changed: Generated<boolean>
}

/** A price change that a concurrent computation of a book may have missed. */
export interface PriceChangeRow {
  coin_id: string
  from_at: Date
  changed_by: Generated<string>
  /** a transaction that began after the commit of the change */
  noted_by: string | null
}

/** A computation of a book that may have missed a price change. */
export interface PlRun {
  book_id: string
  /** the database snapshot before it read its first price */
  began_with: string
  noted_by: string | null
}

/** Figures that reads must not call complete: of a book, of a portfolio, or of an account. */
export interface UncomputedFigures {
  book_id: string | null
  portfolio_id: string | null
  account_id: string | null
}

/** Books computed together: one book, those of a wallet, or those of all portfolios of an account. */
export interface ScopeRow {
  id: Generated<string>
  book_id: string | null
  wallet_id: string | null
  account_id: string | null
  /** its set of books changed from then on; null: its transfers are matched */
  dirty_from: Generated<Date | null>
  recorded_at: Generated<Date>
}

/** The computed books of each scope. */
export interface ScopeBook {
  scope_id: string | null
  book_id: string | null
}

/** Own transfers of a scope, each between two of its books. */
export interface TransferMatch {
  scope_id: string
  coin_id: string
  /** base units that arrived */
  raw: string
  decimals: number
  /** amount that left and did not arrive: the fee of a bridge */
  fee: string
  from_book_id: string
  from_at: Date
  from_tx_id: string
  from_seq: number
  /** stored with the leg; null: use the price in force */
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
  /** null: never folded */
  folded_at: Date | null
  revision: Generated<string>
  /** revision of its rows in coin_fold_days */
  days_revision: string | null
  /** revision of its rows in lot_uses; another one: it is due from its beginning */
  uses_revision: string | null
  recorded_at: Generated<Date>
}

/** Lots and totals of a coin at the end of each month in which they changed (sparse). */
export interface CoinFoldRow {
  fold_id: string
  coin_id: string
  /** start of the month */
  month: Date
  quantity: string
  acquired_quantity: string
  disposed_quantity: string
  sold_quantity: string
  uncovered: string
  /** quantity of unknown cost, held without a market price, beside `quantity` */
  unvalued_quantity: Generated<string>
  /** what was paid for the coin until it had a market price, as far as it is held */
  paid_usd: Generated<string>
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
  /** open lots in the order of arrival, see fold-rows.ts; null for method `average`, which has one lot */
  lots_usd: unknown
  lots_btc: unknown
  lots_eth: unknown
  recorded_at: Generated<Date>
}

/** Amounts of a coin in USD by the day from which they are, as one month changed them (sparse). */
export interface CoinFoldDaysRow {
  fold_id: string
  coin_id: string
  /** start of the month */
  month: Date
  /** see day-amounts.ts */
  held: string
  /** [day since 1970, acquired, disposed, cost], ...; the numbers are texts, so that no digit is lost */
  days: unknown
  recorded_at: Generated<Date>
}

/** Changes of holdings in the last 24 hours before the fold. */
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
  /** change of what was paid for a coin without a market price */
  paid_usd: Generated<string>
  recorded_at: Generated<Date>
}

/** An operator's choice of how one book counts a role. */
export interface RoleTreatmentRow {
  book_id: string
  role: TreatedRole
  treatment: Treatment
  /** the user who ran the command */
  asked_by: string
  asked_at: Date
}

declare module '../schema.ts' {
  interface Database {
    folds: FoldRow
    coin_folds: CoinFoldRow
    coin_moves: CoinMoveRow
    coin_fold_days: CoinFoldDaysRow
    books: BookRow
    portfolio_books: PortfolioBook
    scopes: ScopeRow
    scope_books: ScopeBook
    pl_days: PlDay
    balance_days: BalanceDay
    pl_states: PlState
    uncomputed_figures: UncomputedFigures
    price_changes: PriceChangeRow
    pl_runs: PlRun
    transfer_matches: TransferMatch
    role_treatments: RoleTreatmentRow
  }
}
