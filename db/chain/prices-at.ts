import type pg from 'pg'
import { PRICES_IN_FORCE } from '../prices/price-in-force.ts'

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
  const { rows } = await client.query<{ usd: string | null; at: Date; source: string }>(PRICES_IN_FORCE, [
    cells.map((cell) => cell.coinId),
    cells.map((cell) => new Date(cell.atMs)),
  ])
  return rows.map(({ usd, at, source }) => (usd === null ? null : { usd, at, source }))
}
