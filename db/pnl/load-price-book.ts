import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../connect.ts'
import { decimal } from '../values/decimal.ts'
import { isFiatCoin } from '../values/fiat-coin.ts'
import { fiatPoints } from './fiat-prices.ts'
import { createPriceBook } from './price-book.ts'
import type { PriceBook } from './price-book.ts'
import { pricesInForce } from './prices-in-force.ts'

/** Every stored price of some coins and currencies in force in [fromMs, toMs]: one probe for each coin, one range scan of each table. */
export async function loadPriceBook(input: {
  db: Db | ReadonlyDb
  coinIds: readonly string[]
  fromMs: number
  toMs: number
}): Promise<PriceBook> {
  const { coinIds, fromMs } = input
  const db = input.db as Db
  const opening = await pricesInForce(
    db,
    coinIds.map((coinId) => ({ coinId, atMs: fromMs })),
  )
  const window = sql`coin_id = any(${[...coinIds]}::text[]) and at > ${new Date(fromMs)} and at <= ${new Date(input.toMs)}`
  // Hours first: of two points at one instant the price book keeps the later one, which is the daily one.
  const { rows } = await sql<{ coin_id: string; at: Date; usd: string }>`
    select coin_id, at, usd from (
      select coin_id, at, usd, 0 as preference from price_hours where ${window}
      union all select coin_id, at, usd, 1 from price_days where ${window}
    ) as points order by preference`.execute(db)
  const fiats = coinIds.filter(isFiatCoin)
  const range = { from: new Date(fromMs), to: new Date(input.toMs) }
  const rates = fiats.length > 0 ? await fiatPoints(db, { coinIds: fiats, ...range }) : []
  return createPriceBook([
    ...rates,
    ...coinIds.flatMap((coinId, index) => (opening[index] ? [{ coinId, ...opening[index] }] : [])),
    ...rows.map((row) => ({ coinId: row.coin_id, atMs: row.at.getTime(), usd: decimal(row.usd) })),
  ])
}
