import type { ReadonlyDb } from '../../db/schema.ts'
import { perDb } from '../per-db.ts'

/** Served prices are at most this much older than the table. */
const KEEP_MS = 1_000

/**
 * The newest price of every coin in USD, read at most once per second. As doubles: they are for display only.
 */
export const currentPrices = perDb((db: ReadonlyDb) => {
  let atMs = -Infinity
  let prices: Promise<ReadonlyMap<string, number>> | null = null

  async function read(): Promise<ReadonlyMap<string, number>> {
    const rows = await db.selectFrom('coin_quotes').select(['coin_id', 'price_usd']).execute()
    return new Map(rows.map((row) => [row.coin_id, Number(row.price_usd)]))
  }

  return (nowMs: number): Promise<ReadonlyMap<string, number>> => {
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
