import type { ReadonlyDb } from '../../schema.ts'
import { startOfPeriod } from '../../values/periods.ts'
import { readComputedTo } from '../periods/book-values.ts'
import type { Book } from '../books.ts'
import type { DetailedFlow, DetailedPoint } from '../periods/values-in-detail.ts'
import { valuesInDetail } from '../periods/values-in-detail.ts'

/** A window [fromMs, toMs). */
export interface Span {
  fromMs: number
  toMs: number
}

export interface BookTerms {
  book: Book
  opening: DetailedPoint
  closing: DetailedPoint
  flows: DetailedFlow[]
}

/**
 * Returns the terms of a book's values at both ends of a period, and of its flows in the span `flows`;
 * `bookValues` returns their sums. Reads the legs of the days of both ends and of the span. Null when the
 * book was never computed.
 */
export async function bookTerms(input: {
  db: ReadonlyDb
  book: Book
  period: Span
  flows: Span | null
}): Promise<BookTerms | null> {
  const { db, book, period } = input
  const computedToMs = (await readComputedTo(db, [book])).get(book.id)
  if (computedToMs === undefined) return null
  const midnight = (atMs: number) => Math.min(startOfPeriod('daily', atMs), computedToMs)
  const pointAt = async (atMs: number) => {
    const [found] = await valuesInDetail({
      db,
      books: [book],
      fromMs: midnight(atMs),
      toMs: atMs,
      instantsMs: [atMs],
    })
    return found!.points[0]!
  }
  const flowsOf = async ({ fromMs, toMs }: Span): Promise<DetailedFlow[]> => {
    const [found] = await valuesInDetail({
      db,
      books: [book],
      fromMs: midnight(fromMs),
      toMs,
      instantsMs: [],
    })
    return found!.flows.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  }
  return {
    book,
    opening: await pointAt(period.fromMs),
    closing: await pointAt(period.toMs),
    flows: input.flows ? await flowsOf(input.flows) : [],
  }
}
