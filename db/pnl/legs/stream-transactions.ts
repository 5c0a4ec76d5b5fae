import type { Db } from '../../schema.ts'
import type { Book } from '../books.ts'
import { type Instant, instantsOf } from './instants.ts'
import { legSource } from './leg-source.ts'
import { type FirstPrices, measuredLegs } from './measured-legs.ts'
import { readLegs } from './read-legs.ts'

/**
 * Yields the legs of a book in [fromMs, toMs), one instant at a time, in ledger order and without spam.
 */
export async function* streamTransactions(input: {
  db: Db
  book: Book
  fromMs: number
  toMs: number
  firsts: FirstPrices
}): AsyncGenerator<Instant> {
  const { db, book, firsts } = input
  const { isOrdered } = legSource(book)
  for await (const rows of readLegs(input))
    yield* instantsOf(await measuredLegs({ db, bookId: book.id, rows, firsts }), { isOrdered })
}
