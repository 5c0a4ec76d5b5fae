import type pg from 'pg'

export interface PriceAt {
  usd: string
  at: Date
  source: string
}

/**
 * The stored price in force at each instant, in the order asked for; null before the first one. Of an hourly and a daily
 * point at the same instant the daily one counts, as everywhere in P&L.
 */
export async function pricesAt(
  client: pg.ClientBase,
  cells: readonly { coinId: string; atMs: number }[],
): Promise<(PriceAt | null)[]> {
  if (cells.length === 0) return []
  const { rows } = await client.query<{ usd: string | null; at: Date; source: string }>(
    `select price.usd, price.at, price.source
     from unnest($1::text[], $2::timestamptz[]) with ordinality as cell (coin_id, at, position)
     left join lateral (
       select usd, at, source from (
         (select usd, at, source, 0 as preference from price_days
          where coin_id = cell.coin_id and at <= cell.at order by at desc limit 1)
         union all
         (select usd, at, source, 1 from price_hours
          where coin_id = cell.coin_id and at <= cell.at order by at desc limit 1)
       ) as candidates order by at desc, preference limit 1
     ) as price on true
     order by cell.position`,
    [cells.map((cell) => cell.coinId), cells.map((cell) => new Date(cell.atMs))],
  )
  return rows.map(({ usd, at, source }) => (usd === null ? null : { usd, at, source }))
}
