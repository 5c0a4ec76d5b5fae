import type { Decimal } from '../../values/decimal.ts'

export interface PricePoint {
  coinId: string
  atMs: number
  usd: Decimal
  source?: string
}

export interface PriceBook {
  /** The latest price at or before the instant; null before the first. */
  at: (coinId: string, atMs: number) => Decimal | null
  /** The same price with the instant from which it is. */
  pointAt: (coinId: string, atMs: number) => PricePoint | null
  /** The first price of a coin; null when it has none. */
  first: (coinId: string) => PricePoint | null
}

/** Prices in memory, found by binary search. Of two points at one instant the later one in the input wins. */
export function createPriceBook(points: readonly PricePoint[]): PriceBook {
  const byCoin = Map.groupBy(points, (point) => point.coinId)
  for (const list of byCoin.values()) list.sort((a, b) => a.atMs - b.atMs)
  const pointAt = (coinId: string, atMs: number): PricePoint | null => {
    const list = byCoin.get(coinId) ?? []
    let low = 0
    let high = list.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (list[middle]!.atMs <= atMs) low = middle + 1
      else high = middle
    }
    return list[low - 1] ?? null
  }
  return {
    pointAt,
    at: (coinId, atMs) => pointAt(coinId, atMs)?.usd ?? null,
    first: (coinId) => byCoin.get(coinId)?.[0] ?? null,
  }
}
