import { compare, decimal } from '../../db/values/decimal.ts'
import type { BookRow } from './venue-data.ts'

interface Level {
  price: string
  size: string
}

/** The levels of a book with the best first, as pairs; empty ones are left out. */
export function sortLevels(book: {
  bids: readonly Level[]
  asks: readonly Level[]
}): Pick<BookRow, 'bids' | 'asks'> {
  const rising = (levels: readonly Level[]) =>
    levels
      .filter(({ size }) => !/^(-|0$)/.test(size))
      .toSorted((a, b) => compare(decimal(a.price), decimal(b.price)))
      .map(({ price, size }) => [price, size] as const)
  return { bids: rising(book.bids).toReversed(), asks: rising(book.asks) }
}
