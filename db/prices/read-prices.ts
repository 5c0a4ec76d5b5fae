import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../connect.ts'
import { readSql } from '../read-sql.ts'

/**
 * The price in USD of a coin in force at each of the instants, in their order: of hourly point, daily point and quote
 * the last one at or before it. Null where the coin had no price yet.
 */
export async function readPricesAt(
  db: Db | ReadonlyDb,
  options: { coinId: string; instants: readonly Date[] },
): Promise<(string | null)[]> {
  const { coinId, instants } = options
  const rows = await readSql(
    db,
    sql<{ usd: string | null }>`
    select (
      select usd from (
        (select at, usd from price_hours where coin_id = ${coinId} and at <= point.at order by at desc limit 1)
        union all
        (select at, usd from price_days where coin_id = ${coinId} and at <= point.at order by at desc limit 1)
        union all
        select at, price_usd from coin_quotes where coin_id = ${coinId} and at <= point.at
      ) candidates order by at desc limit 1
    ) as usd
    from unnest(${[...instants]}::timestamptz[]) with ordinality as point (at, position)
    order by point.position`,
  )
  return rows.map((row) => row.usd)
}

export interface PricePoint {
  coinId: string
  at: Date
  usd: string
}

/** Price points of the coins from `from` (null: all), oldest first, and the last one before it, where there is one. */
export async function readPriceSeries(
  db: ReadonlyDb,
  options: { coinIds: readonly string[]; resolution: 'hour' | 'day'; from: Date | null; to: Date },
): Promise<PricePoint[]> {
  const { resolution, from, to } = options
  const table = sql.table(resolution === 'hour' ? 'price_hours' : 'price_days')
  const coinIds = [...new Set(options.coinIds)]
  const rows = await readSql(
    db,
    sql<PricePoint>`
    select coin.id as "coinId", point.at, point.usd
    from unnest(${coinIds}::text[]) as coin (id)
    cross join lateral (
      (select at, usd from ${table} where coin_id = coin.id and at < ${from}::timestamptz order by at desc limit 1)
      union all
      select at, usd from ${table}
      where coin_id = coin.id and at >= coalesce(${from}::timestamptz, '-infinity') and at <= ${to}::timestamptz
    ) point
    order by coin.id, point.at`,
  )
  return rows
}
