import type { Db } from '../../schema.ts'
import type { Book } from '../books.ts'
import type { Leg } from './leg.ts'
import { type FirstPrices, measuredLegs } from './measured-legs.ts'
import { readLegs } from './read-legs.ts'

/**
 * Yields the legs of a book in [fromMs, toMs), one transaction at a time, in ledger order and without spam.
 */
export async function* streamTransactions(input: {
  db: Db
  book: Book
  fromMs: number
  toMs: number
  firsts: FirstPrices
}): AsyncGenerator<Leg[]> {
  const { db, book, firsts } = input
  let transaction: Leg[] = []
  for await (const rows of readLegs(input)) {
    for (const leg of await measuredLegs({ db, bookId: book.id, rows, firsts })) {
      if (transaction.length > 0 && transaction[0]!.txId !== leg.txId) {
        yield transaction
        transaction = []
      }
      transaction.push(leg)
    }
  }
  if (transaction.length > 0) yield transaction
}
