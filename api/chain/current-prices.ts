import type { ReadonlyDb } from '../../db/schema.ts'
import { perDb } from '../kept-bytes.ts'

/** Served prices are at most this much older than the table. */
const KEEP_MS = 1_000

/** By coin: price in USD, as a double for display only, and its time. */
export interface CurrentPrices {
  usd: ReadonlyMap<string, number>
  at: ReadonlyMap<string, Date>
}

/** The newest price of every coin, read at most once per second. */
export const currentPrices = perDb((db: ReadonlyDb) => {
  let atMs = -Infinity
  let prices: Promise<CurrentPrices> | null = null

  async function read(): Promise<CurrentPrices> {
    const rows = await db.selectFrom('coin_quotes').select(['coin_id', 'price_usd', 'at']).execute()
    return {
      usd: new Map(rows.map((row) => [row.coin_id, Number(row.price_usd)])),
      at: new Map(rows.map((row) => [row.coin_id, row.at])),
    }
  }

  return (nowMs: number): Promise<CurrentPrices> => {
    if (prices && Math.abs(nowMs - atMs) < KEEP_MS) return prices
    atMs = nowMs
    const reading = read()
    prices = reading
    // Waiting requests get the failure; the next request reads again.
    reading.catch(() => {
      if (prices === reading) prices = null
    })
    return reading
  }
})
