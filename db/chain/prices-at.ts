import type pg from 'pg'
import { priceInForce } from '../prices/price-in-force.ts'

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
       ${priceInForce({ coinId: 'cell.coin_id', at: 'cell.at', columns: 'usd, at, source' })}
     ) as price on true
     order by cell.position`,
    [cells.map((cell) => cell.coinId), cells.map((cell) => new Date(cell.atMs))],
  )
  return rows.map(({ usd, at, source }) => (usd === null ? null : { usd, at, source }))
}
