import { PRICES_IN_FORCE } from '../../prices/price-in-force.ts'
import type { Db, ReadonlyDb } from '../../schema.ts'
import { readText } from '../../read-sql.ts'
import { decimal } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { isFiatCoin } from '../../values/coins.ts'
import { fiatPrices } from './fiat-prices.ts'

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
