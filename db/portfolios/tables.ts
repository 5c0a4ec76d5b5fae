import type { Generated } from 'kysely'

/** What an account keeps together: a wallet on a network, an account at an exchange, or transactions stated by hand. */
export interface PortfolioRow {
  /** of an account at an exchange: that of its connection */
  id: string
  /** null: given up, about to be removed */
  account_id: string | null
  kind: 'wallet' | 'exchange' | 'manual'
  name: string | null
  /** of a wallet, with its network */
  address: string | null
  network_id: string | null
  cost_method: Generated<'average' | 'fifo' | 'lifo' | 'hifo'>
  created_at: Generated<Date>
  recorded_at: Generated<Date>
}

/** A transaction of a manual portfolio, as its owner states it. */
export interface ManualTransaction {
  id: string
  portfolio_id: string
  at: Date
  /** a coin, or FiatCoinXXX */
  coin_id: string
  /** negative: sold */
  count: string
  /** of one, in the currency; null: that of its instant */
  price: string | null
  currency: string
  /** kept with the transaction; null: the coin had none */
  price_usd: string | null
  note: string | null
  /** its price is kept with it, and its book is marked */
  derived: Generated<boolean>
  source: string
  fetched_at: Date
}

/** A link that shows one portfolio to whoever has it. */
export interface PortfolioShare {
  id: Generated<string>
  portfolio_id: string
  /** SHA-256 of the token, which is not stored */
  token_hash: Buffer
  /** keyed with a pepper that is not in the database */
  passcode_hash: Buffer | null
  /** in a row */
  wrong_passcodes: Generated<number>
  locked_until: Date | null
  created_at: Generated<Date>
  revoked_at: Date | null
}

/** What a portfolio held at a midnight, and at which prices: never changed. */
export interface PortfolioSnapshot {
  portfolio_id: string
  at: Date
  coin_ids: string[]
  /** of each coin; none is 0 */
  quantities: string[]
  /** of one; null where it had none yet */
  prices_usd: string[]
  source: string
  fetched_at: Date
  recorded_at: Generated<Date>
}

/** How many transactions a ledger has on a UTC day. */
export interface TransactionDay {
  /** wallet and network as 'ID:network', else the id of a connection or a portfolio */
  ledger: string
  /** '': all; of a connection: the venue's asset, and 'ASSET/QUOTE'; else the coin */
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
