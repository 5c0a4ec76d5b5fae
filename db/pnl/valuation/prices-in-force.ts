import { PRICES_IN_FORCE } from '../../prices/read-prices.ts'
import type { Db, ReadonlyDb } from '../../schema.ts'
import { readText, readSql } from '../../read-sql.ts'
import { decimal } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { isFiatCoin, fiatOf } from '../../values/coins.ts'
import { sql } from 'kysely'

export interface PriceInForce {
  usd: Decimal
  atMs: number
  source?: string
  /** only of currencies: the instant of the rate */
  rateMs?: number
}

interface Cell {
  coinId: string
  atMs: number
}

/**
 * Returns the latest stored price at or before each instant, in the order of the cells; null before the first
 * price. A daily price beats an hourly one of the same instant. One index probe per table and cell.
 * Currencies use their rates.
 */
export async function pricesInForce(
  db: Db | ReadonlyDb,
  cells: readonly Cell[],
): Promise<(PriceInForce | null)[]> {
  const isFiat = cells.map(({ coinId }) => isFiatCoin(coinId))
  if (!isFiat.includes(true)) return await coinPrices(db, cells)
  const coins = await coinPrices(
    db,
    cells.filter((_, index) => !isFiat[index]),
  )
  const fiats = await fiatPrices(
    db,
    cells.filter((_, index) => isFiat[index]),
  )
  const [coin, fiat] = [coins.values(), fiats.values()]
  return isFiat.map((money) => (money ? fiat : coin).next().value ?? null)
}

async function coinPrices(db: Db | ReadonlyDb, cells: readonly Cell[]): Promise<(PriceInForce | null)[]> {
  if (cells.length === 0) return []
  const coinIds = cells.map((cell) => cell.coinId)
  const instants = cells.map((cell) => new Date(cell.atMs))
  const rows = await readText<{ usd: string | null; at: Date | null; source: string | null }>(db, {
    text: PRICES_IN_FORCE,
    values: [coinIds, instants],
  })
  return rows.map(({ usd, at, source }) =>
    usd === null ? null : { usd: decimal(usd), atMs: at!.getTime(), source: source! },
  )
}

interface Cell {
  coinId: string
  atMs: number
}

/** USD per unit of a currency at each instant, by the last rate up to it; null before the first rate. */
async function fiatPrices(db: Db | ReadonlyDb, cells: readonly Cell[]): Promise<(PriceInForce | null)[]> {
  const rows = await readSql(
    db,
    sql<{ usd: string | null; at: Date; source: string }>`
      select rate.usd, rate.at, rate.source from unnest(${cells.map(({ coinId }) => fiatOf(coinId))}::text[],
        ${cells.map(({ atMs }) => new Date(atMs))}::timestamptz[]) with ordinality as cell (currency, at, position)
      left join lateral (
        select 1 as usd, cell.at, 'unit' as source where cell.currency = 'USD'
        union all
        (select 1 / per_usd, at, source from fx_rates
         where currency = cell.currency and currency <> 'USD' and at <= cell.at order by at desc limit 1)
      ) as rate on true
      order by cell.position`,
  )
  return rows.map(({ usd, at, source }, index) =>
    usd === null ? null : { usd: decimal(usd), atMs: cells[index]!.atMs, source, rateMs: at.getTime() },
  )
}

/** All rates of some currencies in (from, to]. */
export async function fiatPoints(
  db: Db | ReadonlyDb,
  input: { coinIds: readonly string[]; from: Date; to: Date },
): Promise<(Cell & PriceInForce)[]> {
  const rows = await readSql(
    db,
    sql<{ coin_id: string; at: Date; usd: string }>`
      select coin.id as coin_id, at, 1 / per_usd as usd
      from unnest(${[...input.coinIds]}::text[], ${input.coinIds.map(fiatOf)}::text[]) as coin (id, currency)
      join fx_rates using (currency) where at > ${input.from} and at <= ${input.to}`,
  )
  return rows.map((row) => ({ coinId: row.coin_id, atMs: row.at.getTime(), usd: decimal(row.usd) }))
}

/** The first rate of each currency; USD has one since 1970. Leaves out currencies without a rate. */
export async function firstFiatPrices(
  db: Db | ReadonlyDb,
  coinIds: readonly string[],
): Promise<(Cell & PriceInForce)[]> {
  const rows = await readSql(
    db,
    sql<{ coin_id: string; at: Date; usd: string }>`
      select coin.id as coin_id, rate.at, rate.usd
      from unnest(${[...coinIds]}::text[], ${coinIds.map(fiatOf)}::text[]) as coin (id, currency)
      cross join lateral (
        select timestamptz 'epoch' as at, 1 as usd where currency = 'USD'
        union all
        (select at, 1 / per_usd from fx_rates where currency = coin.currency and currency <> 'USD' order by at limit 1)
      ) as rate`,
  )
  return rows.map((row) => ({ coinId: row.coin_id, atMs: row.at.getTime(), usd: decimal(row.usd) }))
}
