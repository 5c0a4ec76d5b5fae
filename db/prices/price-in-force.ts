import type pg from 'pg'
import { prepared } from '../read-sql.ts'

/**
 * Returns SQL that selects the stored price in force at an instant: the later of the hourly and the daily
 * point, or the daily one if both have the same instant. `coinId` and `at` are SQL expressions. `columns`
 * lists columns that both price tables have, including `at`.
 */
export const priceInForce = (input: { coinId: string; at: string; columns: string }): string => {
  const { coinId, at, columns } = input
  const newest = (table: string, preference: number) =>
    `(select ${columns}, ${preference} as preference from ${table}
      where coin_id = ${coinId} and at <= ${at} order by at desc limit 1)`
  return `select ${columns} from (
    ${newest('price_days', 0)} union all ${newest('price_hours', 1)}
  ) as candidates order by at desc, preference limit 1`
}

/**
 * The prices of coins ($1) in force at instants ($2), one row each in the same order, null where there is
 * none. Prepared, because planning over all partitions of two tables takes longer than a few index probes.
 */
export const PRICES_IN_FORCE = prepared(
  'prices_in_force',
  `select price.usd, price.at, price.source
   from unnest($1::text[], $2::timestamptz[]) with ordinality as cell (coin_id, at, position)
   left join lateral (
     ${priceInForce({ coinId: 'cell.coin_id', at: 'cell.at', columns: 'usd, at, source' })}
   ) as price on true
   order by cell.position`,
)

export interface PriceAt {
  usd: string
  at: Date
  source: string
}

/**
 * The stored price in force at each instant, in the order of `cells`; null before the first price. If an
 * hourly and a daily point have the same instant, the daily one is used, as everywhere in P&L.
 */
export async function pricesAt(
  client: pg.ClientBase,
  cells: readonly { coinId: string; atMs: number }[],
): Promise<(PriceAt | null)[]> {
  if (cells.length === 0) return []
  const { rows } = await client.query<{ usd: string | null; at: Date; source: string }>(PRICES_IN_FORCE, [
    cells.map((cell) => cell.coinId),
    cells.map((cell) => new Date(cell.atMs)),
  ])
  return rows.map(({ usd, at, source }) => (usd === null ? null : { usd, at, source }))
}
