import type { RawBuilder } from 'kysely'
import type { Db } from '../../schema.ts'
import type { Book } from '../books.ts'
import type { Repriced } from '../periods/run-state.ts'
import { exchangeLegs } from './exchange-legs.ts'
import { manualLegs } from './manual-legs.ts'
import { walletLegs } from './wallet-legs.ts'

/** A stored leg. The instant is a number, as the driver parses timestamps slowly. The role is one word. */
export interface LegRow {
  tx_id: string
  seq: number
  at_ms: number
  role: string
  coin_id: string
  raw: string
  decimals: number
  /** stored with the leg; null: use the price in force */
  price_usd: string | null
  /** true: an operator's correction */
  corrected: boolean
}

/** How P&L reads one kind of book. */
export interface LegSource {
  kind: 'wallet' | 'exchange' | 'manual'
  /** Legs of [from, to) without spam, transaction by transaction in the order of the ledger. */
  legs: (window: { from: Date; to: Date }) => RawBuilder<LegRow>
  /** Instant of the first leg. */
  first: RawBuilder<{ at: Date }>
  /** True: a balance below zero is a debt. False: it means an unrecorded arrival. */
  mayOwe: boolean
  /** True: the source states the order of transactions within an instant. */
  isOrdered: boolean
  /** Locks the rows that `reprice` changes. Call it before locking the book's state, as the sync does. */
  lock: (db: Db) => Promise<void>
  /** Updates the stored prices of legs of a time to the prices in force. */
  reprice: (db: Db, time: Repriced) => Promise<void>
}

export function legSource(book: Book): LegSource {
  if ('walletId' in book) return walletLegs(book)
  return 'connectionId' in book ? exchangeLegs(book) : manualLegs(book)
}
