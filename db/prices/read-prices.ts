import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../schema.ts'
import { prepared, readSql, readText } from '../read-sql.ts'

/**
 * The USD price of a coin in force at each instant, in the order of `instants`: the last hourly point, daily
 * point or quote at or before it. Null where the coin had no price yet.
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
  /** Unix milliseconds. */
  atMs: number
  usd: string
}

/**
 * Price series of coins: $1 the ids, $2 the inclusive start, $3 the inclusive end. All points of a coin are
 * one text: parsing one row per point would cost the API more time than the database needs to read them.
 */
const seriesIn = (table: 'price_hours' | 'price_days') =>
  prepared(
    `series-in-${table}`,
    `select coin.id as "coinId", series.points
    -- "offset 0" hides the number of coins from the planner, which would otherwise plan every statement again.
    from (select $1::text[] as ids offset 0) as asked
    cross join unnest(asked.ids) as coin (id)
    cross join lateral (
      select string_agg((date_part('epoch', at) * 1000)::bigint || ' ' || usd, ',' order by at) as points
      from (
        (select at, usd from ${table} where coin_id = coin.id and at < $2::timestamptz order by at desc limit 1)
        union all
        select at, usd from ${table} where coin_id = coin.id and at >= $2::timestamptz and at <= $3::timestamptz
      ) as point
    ) as series
    where series.points is not null`,
  )

const SERIES = { hour: seriesIn('price_hours'), day: seriesIn('price_days') }

/**
 * Price points by coin id from `from` (null: all) to `to`, oldest first, preceded by the last point before
 * `from` if there is one. Coins without points are left out.
 */
export async function readPriceSeries(
  db: ReadonlyDb,
  options: { coinIds: readonly string[]; resolution: 'hour' | 'day'; from: Date | null; to: Date },
): Promise<Map<string, PricePoint[]>> {
  const { coinIds, resolution, from, to } = options
  const rows = await readText<{ coinId: string; points: string }>(db, {
    text: SERIES[resolution],
    values: [[...new Set(coinIds)], from ?? '-infinity', to],
  })
  return new Map(rows.map(({ coinId, points }) => [coinId, points.split(',').map(pointOf)]))
}

function pointOf(text: string): PricePoint {
  const space = text.indexOf(' ')
  return { atMs: Number(text.slice(0, space)), usd: text.slice(space + 1) }
}
