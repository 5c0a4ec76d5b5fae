import type { ReadonlyDb } from '../connect.ts'

/** Price of a coin now, and when it was true. */
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

/** When the newest quote of any coin was true; null when there is none. */
export async function readNewestQuoteAt(db: ReadonlyDb): Promise<Date | null> {
  const row = await db
    .selectFrom('coin_quotes')
    .select((select) => select.fn.max('at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}
