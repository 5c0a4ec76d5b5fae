import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../schema.ts'
import { preparedSelect, readSql } from '../../read-sql.ts'
import { decimal } from '../../values/decimal.ts'
import { HOUR_MS, startOfPeriod } from '../../values/periods.ts'
import { type PriceInForce, pricesInForce } from './prices-in-force.ts'

interface Cell {
  coinId: string
  atMs: number
}

/** `source` of a price that is the coin's newest quote, which /coins returns. */
const QUOTE = 'quote'

/**
 * Returns the prices at which answers value what is held, in the order of the cells: the stored price in
 * force, or the newest quote of the coin from the quote's instant on, unless it is an hour older: the stored
 * price of an hour may come from its beginning. Days and legs of sources use stored
 * prices alone, because quotes are replaced and their figures must be computable again. So a coin without a
 * stored price has none here, and midnights, where the stored days close, have their stored price.
 */
export async function shownPrices(
  db: Db | ReadonlyDb,
  cells: readonly Cell[],
): Promise<(PriceInForce | null)[]> {
  const [stored, shown] = await Promise.all([pricesInForce(db, cells), orNewestQuote(db, cells)])
  return cells.map((cell, index) => shown(cell, stored[index]!))
}

/** Returns a function that replaces a stored price of one of the cells by the newest quote if that is in force. */
export async function orNewestQuote(
  db: Db | ReadonlyDb,
  cells: readonly Cell[],
): Promise<(cell: Cell, stored: PriceInForce | null) => PriceInForce | null> {
  const coinIds = new Set(cells.filter(({ atMs }) => !isMidnight(atMs)).map(({ coinId }) => coinId))
  const quotes = coinIds.size > 0 ? await readQuotes(db, [...coinIds]) : new Map<string, PriceInForce>()
  return ({ coinId, atMs }, stored) => {
    const quote = quotes.get(coinId)
    const isInForce = quote && stored && quote.atMs <= atMs && quote.atMs > stored.atMs - HOUR_MS
    return isInForce && !isMidnight(atMs) ? quote : stored
  }
}

const isMidnight = (atMs: number) => startOfPeriod('daily', atMs) === atMs

async function readQuotes(
  db: Db | ReadonlyDb,
  coinIds: readonly string[],
): Promise<Map<string, PriceInForce>> {
  const rows = await readSql(
    db,
    sql<{ coin_id: string; price_usd: string; at: Date }>`
      ${preparedSelect('quotes')} coin_id, price_usd, at from coin_quotes where coin_id = any(${[...coinIds]}::text[])`,
  )
  return new Map(
    rows.map(({ coin_id: coinId, price_usd: usd, at }) => [
      coinId,
      { usd: decimal(usd), atMs: at.getTime(), source: QUOTE },
    ]),
  )
}
