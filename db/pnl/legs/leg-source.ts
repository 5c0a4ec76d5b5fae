import type { RawBuilder } from 'kysely'
import type { Db } from '../../connect.ts'
import type { Book } from '../books.ts'
import { exchangeLegs } from './exchange-legs.ts'
import { manualLegs } from './manual-legs.ts'
import { walletLegs } from './wallet-legs.ts'

/** A leg as it is stored. The instant is a number: the driver takes long over timestamps, and there are many. The role is one word. */
export interface LegRow {
  tx_id: string
  seq: number
  at_ms: number
  role: string
  coin_id: string
  raw: string
  decimals: number
  /** kept with the leg; null: the one in force */
  price_usd: string | null
  /** the operator says that it is so */
  corrected: boolean
}

/** What P&L has to know of a kind of book. */
export interface LegSource {
  /** Legs of [from, to) without spam, transaction by transaction in the order of the ledger. */
  legs: (window: { from: Date; to: Date }) => RawBuilder<LegRow>
  /** The first instant of the ledger. */
  first: RawBuilder<{ at: Date }>
  /** A balance below zero is a debt; where it is not, what is missing has come in unseen. */
  mayOwe: boolean
  /** Locks what repricing changes, before the book's state: the order in which the sync takes both. */
  lock: (db: Db) => Promise<void>
  /** Gives the legs from an instant on the price that is in force at theirs now. */
  reprice: (db: Db, from: Date) => Promise<void>
}

export function legSource(book: Book): LegSource {
  if ('walletId' in book) return walletLegs(book)
  return 'connectionId' in book ? exchangeLegs(book) : manualLegs(book)
}
