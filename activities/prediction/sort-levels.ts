import { compare, decimal } from '../../db/values/decimal.ts'
import type { OrderBook } from './venue-data.ts'

interface Level {
  price: string
  size: string
}

/** The levels of an order book as pairs, the best first; levels without a size are left out. */
export function sortLevels(orderBook: {
  bids: readonly Level[]
  asks: readonly Level[]
}): Pick<OrderBook, 'bids' | 'asks'> {
  const rising = (levels: readonly Level[]) =>
    levels
      .filter(({ size }) => !/^(-|0$)/.test(size))
      .toSorted((a, b) => compare(decimal(a.price), decimal(b.price)))
      .map(({ price, size }) => [price, size] as const)
  return { bids: rising(orderBook.bids).toReversed(), asks: rising(orderBook.asks) }
}
