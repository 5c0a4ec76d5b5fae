import type { CostMethod } from '../pnl/lots/lot-pool.ts'

/** A manual transaction as it is stored. */
export interface StatedTransaction {
  id: string
  /** RFC 3339 */
  at: string
  coinId: string
  /** Decimal text, like the prices of one coin in `currency` and in USD. */
  count: string
  price: string | null
  currency: string
  priceUsd: string | null
  note: string | null
}

/** Which version of a manual transaction a write was decided on, and in which portfolio. */
interface Read {
  portfolioId: string
  version: string
}

/** A write that the API decides on and that `apply_portfolio_writes` applies together with the charge. */
export type PortfolioWrite =
  | { kind: 'follow'; id: string; name: string | null; address: string; networkId: string }
  /** Makes a manual portfolio. */
  | { kind: 'open'; id: string; name: string }
  | { kind: 'rename'; id: string; name: string }
  /** Chooses how the cost of its coins is computed. */
  | { kind: 'cost-method'; id: string; method: CostMethod }
  | ({ kind: 'add'; portfolioId: string } & StatedTransaction)
  | ({ kind: 'correct' } & StatedTransaction & Read)
  | ({ kind: 'delete'; id: string } & Read)
  | { kind: 'remove'; id: string }
  /** Deletes an uploaded file, whose transactions are added. */
  | { kind: 'use-upload'; id: string }
  /** Uses up the code of a connection (its SHA-256 in hex). */
  | { kind: 'redeem'; codeHash: string }
