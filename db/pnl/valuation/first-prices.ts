import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../schema.ts'
import { decimal } from '../../values/decimal.ts'
import { isFiatCoin } from '../../values/coins.ts'
import { firstFiatPrices } from './fiat-prices.ts'
import type { PricePoint } from './price-book.ts'

/** The first stored price of each coin. Coins without a price are not in the result. */
export async function firstPrices(
  db: Db | ReadonlyDb,
  coinIds: readonly string[],
): Promise<Map<string, PricePoint>> {
  const fiats = coinIds.filter(isFiatCoin)
  const coins = coinIds.filter((coinId) => !isFiatCoin(coinId))
  const points = [
    ...(coins.length > 0 ? await firstCoinPrices(db, coins) : []),
    ...(fiats.length > 0 ? await firstFiatPrices(db, fiats) : []),
  ]
  return new Map(points.map((point) => [point.coinId, point]))
}

async function firstCoinPrices(db: Db | ReadonlyDb, coinIds: readonly string[]): Promise<PricePoint[]> {
  const { rows } = await sql<{ coin_id: string; at: Date; usd: string }>`
    select coin.id as coin_id, price.at, price.usd
    from unnest(${coinIds}::text[]) as coin (id)
    cross join lateral (
      select at, usd from (
        (select at, usd, 0 as preference from price_days where coin_id = coin.id order by at limit 1)
        union all
        (select at, usd, 1 from price_hours where coin_id = coin.id order by at limit 1)
      ) as candidates order by at, preference limit 1
    ) as price`.execute(db as Db)
  return rows.map((row) => ({ coinId: row.coin_id, atMs: row.at.getTime(), usd: decimal(row.usd) }))
}
