import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../schema.ts'
import { decimal } from '../../values/decimal.ts'
import { isFiatCoin, UNIT_COINS } from '../../values/coins.ts'
import { fiatPoints } from './fiat-prices.ts'
import { createPriceBook, type PriceBook, type PricePoint } from './price-book.ts'
import { pricesInForce } from './prices-in-force.ts'
import type { Decimal } from '../../values/decimal.ts'
import { inUnits } from './money.ts'
import type { Money } from './money.ts'

/**
 * Loads all prices of some coins and currencies that are in force in [fromMs, toMs]: one range scan of each
 * table, and one probe for each coin without a price exactly at `fromMs`.
 */
export async function loadPriceBook(input: {
  db: Db | ReadonlyDb
  coinIds: readonly string[]
  fromMs: number
  toMs: number
}): Promise<PriceBook> {
  const { coinIds, fromMs } = input
  const db = input.db as Db
  const window = sql`coin_id = any(${[...coinIds]}::text[]) and at >= ${new Date(fromMs)} and at <= ${new Date(input.toMs)}`
  // One text per coin, because the driver parses rows ten times as slowly. Hours first: of two points at one
  // instant the price book keeps the later one in the input, the daily price.
  const { rows } = await sql<{ coin_id: string; points: string }>`
    select coin_id, string_agg(floor(extract(epoch from at) * 1000)::bigint || ' ' || usd, ',' order by preference) as points
    from (
      select coin_id, at, usd, 0 as preference from price_hours where ${window}
      union all select coin_id, at, usd, 1 from price_days where ${window}
    ) as point
    group by coin_id`.execute(db)
  const points = rows.flatMap((row) => row.points.split(',').map((text) => pointOf(row.coin_id, text)))
  const opened = new Set(points.filter(({ atMs }) => atMs === fromMs).map(({ coinId }) => coinId))
  const before = coinIds.filter((coinId) => !opened.has(coinId))
  const opening = await pricesInForce(
    db,
    before.map((coinId) => ({ coinId, atMs: fromMs })),
  )
  const fiats = coinIds.filter(isFiatCoin)
  const range = { from: new Date(fromMs), to: new Date(input.toMs) }
  const rates = fiats.length > 0 ? await fiatPoints(db, { coinIds: fiats, ...range }) : []
  return createPriceBook([
    ...rates,
    ...before.flatMap((coinId, index) => (opening[index] ? [{ coinId, ...opening[index] }] : [])),
    ...points,
  ])
}

function pointOf(coinId: string, text: string): PricePoint {
  const space = text.indexOf(' ')
  return { coinId, atMs: Number(text.slice(0, space)), usd: decimal(text.slice(space + 1)) }
}

export type Convert = (usd: Decimal, atMs: number) => Money

/** Converts at the prices of BTC and ETH in force at instants of [fromMs, toMs]; 0 without a price. */
export async function unitConverter(input: { db: Db; fromMs: number; toMs: number }): Promise<Convert> {
  const book = await loadPriceBook({ ...input, coinIds: Object.values(UNIT_COINS) })
  return (usd, atMs) => inUnits(usd, book.at(UNIT_COINS.btc, atMs), book.at(UNIT_COINS.eth, atMs))
}
