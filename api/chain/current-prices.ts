import type { ReadonlyDb } from '../../db/connect.ts'
import { perDb } from '../per-db.ts'

/** How long prices are kept: none shown is more than this behind the table. */
const KEEP_MS = 1_000

/** The newest price in USD of every coin, as doubles: they are multiplied for display only. Read once per second. */
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
    // A failure is for those who wait for it; the next request reads anew.
    reading.catch(() => {
      if (prices === reading) prices = null
    })
    return reading
  }
})
