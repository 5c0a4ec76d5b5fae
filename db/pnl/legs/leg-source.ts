import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../schema.ts'
import type { Book } from '../books.ts'
import type { Repriced } from '../periods/run-state.ts'
import { exchangeLegs, exchangeReads } from './exchange-legs.ts'
import { manualLegs, manualReads } from './manual-legs.ts'
import { walletLegs, walletReads } from './wallet-legs.ts'

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

/** The id of one book, or the column of a row of SQL with the ids of several. */
export type KeyOfBook = string | RawBuilder<string>

/** What P&L reads of one kind of book, as SQL. */
export interface LegReads {
  kind: 'wallet' | 'exchange' | 'manual'
  /** Legs of [from, to) without spam, transaction by transaction in the order of the ledger. */
  legs: (window: { from: Date; to: Date }) => RawBuilder<LegRow>
  /** Instant of the first leg. */
  first: RawBuilder<{ at: Date }>
}

/** How P&L reads one kind of book. */
export interface LegSource extends LegReads {
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

/** Books of one kind as rows `book` of SQL with their `place` from 1, and what is read of each row. */
export interface LegSources extends LegReads {
  books: readonly Book[]
  rows: RawBuilder<unknown>
}

/** Groups books by kind, so that one statement reads all of a kind. */
export function legSources(books: readonly Book[]): LegSources[] {
  const wallets = books.filter((book) => 'walletId' in book)
  const accounts = books.filter((book) => 'connectionId' in book)
  const manual = books.filter((book) => 'portfolioId' in book)
  const [walletId, networkId] = [sql<string>`book.wallet_id`, sql<string>`book.network_id`]
  const id = sql<string>`book.id`
  const all = [
    {
      ...walletReads({ walletId, networkId }),
      books: wallets,
      rows: sql`unnest(${wallets.map((book) => book.walletId)}::bigint[], ${wallets.map((book) => book.networkId)}::text[])
        with ordinality as book (wallet_id, network_id, place)`,
    },
    {
      ...exchangeReads(id),
      books: accounts,
      rows: rowsOf(accounts.map(({ connectionId }) => connectionId)),
    },
    { ...manualReads(id), books: manual, rows: rowsOf(manual.map(({ portfolioId }) => portfolioId)) },
  ]
  return all.filter((source) => source.books.length > 0)
}

const rowsOf = (ids: string[]) => sql`unnest(${ids}::uuid[]) with ordinality as book (id, place)`
