import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import { decimal } from '../values/decimal.ts'
import type { Decimal } from '../values/decimal.ts'
import { inUnits } from './money.ts'
import type { Money } from './money.ts'
import { createPriceBook } from './price-book.ts'
import { pricesInForce } from './prices-in-force.ts'

/** Coins in which money is given besides USD. */
export const UNIT_COINS = { btc: 'bitcoin', eth: 'ethereum' } as const

export type Convert = (usd: Decimal, atMs: number) => Money

/** Converts at the prices of BTC and ETH in force at each instant of [fromMs, toMs]. Without a price the amount is 0. */
export async function unitConverter(input: { db: Db; fromMs: number; toMs: number }): Promise<Convert> {
  const coinIds = Object.values(UNIT_COINS)
  const window = sql`coin_id = any(${coinIds}::text[]) and at > ${new Date(input.fromMs)} and at <= ${new Date(input.toMs)}`
  const opening = await pricesInForce(
    input.db,
    coinIds.map((coinId) => ({ coinId, atMs: input.fromMs })),
  )
  // Hours first: of two points at one instant the price book keeps the later one, which is the daily one.
  const { rows } = await sql<{ coin_id: string; at: Date; usd: string }>`
    select coin_id, at, usd from (
      select coin_id, at, usd, 0 as preference from price_hours where ${window}
      union all select coin_id, at, usd, 1 from price_days where ${window}
    ) as points order by preference`.execute(input.db)
  const book = createPriceBook([
    ...coinIds.flatMap((coinId, index) => (opening[index] ? [{ coinId, ...opening[index] }] : [])),
    ...rows.map((row) => ({ coinId: row.coin_id, atMs: row.at.getTime(), usd: decimal(row.usd) })),
  ])
  return (usd, atMs) => inUnits(usd, book.at(UNIT_COINS.btc, atMs), book.at(UNIT_COINS.eth, atMs))
}
