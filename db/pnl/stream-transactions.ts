import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import type { Book } from './books.ts'
import { type LegRow, legSource } from './leg-source.ts'
import type { Leg } from './leg.ts'
import { type FirstPrices, measuredLegs } from './measured-legs.ts'

const PAGE_ROWS = 5_000

/**
 * The legs of a book from `fromMs` on and before `toMs`, one transaction after the other, in the order of its ledger and
 * without spam. Read through a cursor, so that memory does not grow with the book; `db` has to be in a transaction.
 */
export async function* streamTransactions(input: {
  db: Db
  book: Book
  fromMs: number
  toMs: number
  firsts: FirstPrices
}): AsyncGenerator<Leg[]> {
  const { db, book, firsts } = input
  const cursor = sql.id(`pnl_legs_${book.id}`)
  const window = { from: new Date(input.fromMs), to: new Date(input.toMs) }
  await sql`declare ${cursor} no scroll cursor for ${legSource(book).legs(window)}`.execute(db)
  let transaction: Leg[] = []
  for (;;) {
    const { rows } = await sql<LegRow>`fetch ${sql.lit(PAGE_ROWS)} from ${cursor}`.execute(db)
    for (const leg of await measuredLegs({ db, bookId: book.id, rows, firsts })) {
      if (transaction.length > 0 && transaction[0]!.txId !== leg.txId) {
        yield transaction
        transaction = []
      }
      transaction.push(leg)
    }
    if (rows.length < PAGE_ROWS) break
  }
  if (transaction.length > 0) yield transaction
  await sql`close ${cursor}`.execute(db)
}
