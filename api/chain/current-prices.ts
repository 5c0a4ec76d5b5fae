import type { ReadonlyDb } from '../../db/schema.ts'
import { perDb } from '../kept-bytes.ts'

/** Served prices are at most this much older than the table. */
const KEEP_MS = 1_000

/** By coin: price in USD, as a double for display only, and its time. */
export interface CurrentPrices {
  usd: ReadonlyMap<string, number>
  at: ReadonlyMap<string, Date>
  /** Another one: a price may differ. */
  revision: string
}

/** The newest price of every coin. At most once per second it is checked whether one has changed. */
export const currentPrices = perDb((db: ReadonlyDb) => {
  let atMs = -Infinity
  let prices: Promise<CurrentPrices> | null = null
  let newest: CurrentPrices | null = null

  async function read(): Promise<CurrentPrices> {
    const slots = await db
      .selectFrom('table_revisions')
      .select('revision')
      .where('table_name', '=', 'coin_quotes')
      .orderBy('slot')
      .execute()
    const revision = slots.map((slot) => slot.revision).join(' ')
    if (newest?.revision === revision) return newest
    const rows = await db.selectFrom('coin_quotes').select(['coin_id', 'price_usd', 'at']).execute()
    newest = {
      usd: new Map(rows.map((row) => [row.coin_id, Number(row.price_usd)])),
      at: new Map(rows.map((row) => [row.coin_id, row.at])),
      revision,
    }
    return newest
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
