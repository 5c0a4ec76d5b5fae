import type { MarketRow } from './market-data.ts'
import { sameMagnitude } from './hold-back.ts'

/**
 * Pairs the coins of two sources that have the same symbol and name, if only one coin on each side has them
 * and the prices are close. Symbols are not unique, and a wrong pair would hold back a good price for ever.
 */
export function matchCoins(
  first: readonly MarketRow[],
  second: readonly MarketRow[],
): { upstreamId: string; coinId: string }[] {
  const others = uniqueBy(second, identity)
  const pairs: { upstreamId: string; coinId: string }[] = []
  for (const [key, row] of uniqueBy(first, identity)) {
    const other = others.get(key)
    if (other && sameMagnitude(row.priceUsd, other.priceUsd))
      pairs.push({ upstreamId: other.upstreamId, coinId: row.upstreamId })
  }
  return pairs
}

function identity({ symbol, name }: MarketRow): string {
  return `${symbol} ${name.toLowerCase().replace(/[^a-z0-9]+/g, '')}`
}

function uniqueBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T> {
  const groups = Map.groupBy(rows, keyOf)
  return new Map(
    [...groups].flatMap(([key, group]) => (group.length === 1 ? [[key, group[0]!] as const] : [])),
  )
}
