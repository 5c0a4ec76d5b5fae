import type { ReadonlyDb } from '../schema.ts'

/** The current price of a coin and its instant. */
export async function readCurrentPrice(
  db: ReadonlyDb,
  coinId: string,
): Promise<{ priceUsd: string; at: Date } | undefined> {
  return db
    .selectFrom('coin_quotes')
    .select(['price_usd as priceUsd', 'at'])
    .where('coin_id', '=', coinId)
    .executeTakeFirst()
}

/** The instant of the newest quote of any coin; null: there are no quotes. */
export async function readNewestQuoteAt(db: ReadonlyDb): Promise<Date | null> {
  const row = await db
    .selectFrom('coin_quotes')
    .select((select) => select.fn.max('at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}

/** Current prices by coin id. Coins without a price are left out. */
export async function readCurrentPrices(
  db: ReadonlyDb,
  coinIds: readonly string[],
): Promise<Map<string, { priceUsd: string; at: Date }>> {
  const rows = await db
    .selectFrom('coin_quotes')
    .select(['coin_id', 'price_usd', 'at'])
    .where('coin_id', 'in', [...coinIds])
    .execute()
  return new Map(rows.map((row) => [row.coin_id, { priceUsd: row.price_usd, at: row.at }]))
}
