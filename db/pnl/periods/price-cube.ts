/**
 * Hourly prices of many coins in memory, 8 bytes each: 70 MB for 200 coins and 5 years. All wallets of a
 * process share it. Doubles: good for value points, never for flows, cost basis or profit.
 */
export interface PriceCube {
  /** first instant, a full hour */
  fromMs: number
  hours: number
  /** the price in force at each hour, 0 before the first; undefined for an unknown coin */
  of: (coinId: string) => Float64Array | undefined
  /** Stores a price and carries it forward to the next. A coin's prices must come in the order of time. */
  put: (coinId: string, hour: number, usd: number) => void
}

export function createPriceCube(input: { fromMs: number; hours: number }): PriceCube {
  const columns = new Map<string, Float64Array>()
  const filledTo = new Map<string, number>()
  return {
    ...input,
    of(coinId) {
      const column = columns.get(coinId)
      if (column) carry(column, filledTo.get(coinId)!, input.hours)
      if (column) filledTo.set(coinId, input.hours)
      return column
    },
    put(coinId, hour, usd) {
      let column = columns.get(coinId)
      if (!column) columns.set(coinId, (column = new Float64Array(input.hours)))
      carry(column, filledTo.get(coinId) ?? hour, hour)
      column[hour] = usd
      filledTo.set(coinId, hour + 1)
    },
  }
}

function carry(column: Float64Array, from: number, to: number): void {
  if (from > 0 && from < to) column.fill(column[from - 1]!, from, to)
}
