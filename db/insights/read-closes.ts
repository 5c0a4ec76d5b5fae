import type { ReadonlyDb } from '../schema.ts'

/** The time of the newest daily close of a coin; null: it has none. */
export async function readNewestCloseAt(db: ReadonlyDb, coinId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('price_days')
    .select((select) => select.fn.max('at').as('at'))
    .where('coin_id', '=', coinId)
    .executeTakeFirst()
  return row?.at ?? null
}
