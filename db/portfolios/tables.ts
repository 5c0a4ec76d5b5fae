import type { Generated } from 'kysely'

/** A wallet on a network, an exchange account, or a manual portfolio. */
export interface PortfolioRow {
  /** for an exchange account equal to the id of its connection */
  id: string
  /** null: removed by its owner; its rows are about to be deleted */
  account_id: string | null
  kind: 'wallet' | 'exchange' | 'manual'
  name: string | null
  /** set for a wallet, together with its network */
  address: string | null
  network_id: string | null
  cost_method: Generated<'average' | 'fifo' | 'lifo' | 'hifo'>
  created_at: Generated<Date>
  recorded_at: Generated<Date>
}

/** A transaction of a manual portfolio, as its owner entered it. */
export interface ManualTransaction {
  id: string
  portfolio_id: string
  at: Date
  /** a coin, or FiatCoinXXX */
  coin_id: string
  /** negative for a sale */
  count: string
  /** price of one in `currency`; null: the price at its instant */
  price: string | null
  currency: string
  /** stored with the transaction; null: the coin had no price */
  price_usd: string | null
  note: string | null
  /** its price is stored and its book is marked dirty */
  derived: Generated<boolean>
  source: string
  fetched_at: Date
}

/** A link that opens one portfolio to anyone who has it. */
export interface PortfolioShare {
  id: Generated<string>
  portfolio_id: string
  /** SHA-256 of the token, which is not stored */
  token_hash: Buffer
  /** keyed with a pepper that is not in the database */
  passcode_hash: Buffer | null
  /** wrong passcodes in a row */
  wrong_passcodes: Generated<number>
  locked_until: Date | null
  created_at: Generated<Date>
  revoked_at: Date | null
}

/** Holdings and prices of a portfolio at a midnight. Rows never change. */
export interface PortfolioSnapshot {
  portfolio_id: string
  at: Date
  coin_ids: string[]
  /** of each coin; none is 0 */
  quantities: string[]
  /** price of one; null: unknown at that time */
  prices_usd: string[]
  source: string
  fetched_at: Date
  recorded_at: Generated<Date>
}

/** Number of transactions of a ledger on a UTC day. */
export interface TransactionDay {
  /** wallet and network as 'ID:network', else the id of a connection or a portfolio */
  ledger: string
  /** '': all; for an exchange account its asset, or 'ASSET/QUOTE'; else the coin */
  coin: string
  day: Date
  rows: string
}

declare module '../schema.ts' {
  interface Database {
    portfolios: PortfolioRow
    manual_transactions: ManualTransaction
    portfolio_shares: PortfolioShare
    portfolio_snapshots: PortfolioSnapshot
    transaction_days: TransactionDay
  }
}
