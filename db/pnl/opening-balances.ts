import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../connect.ts'
import { fromRaw, isZero } from '../values/decimal.ts'
import type { Decimal } from '../values/decimal.ts'

/**
 * What a book held at a midnight up to which `balance_days` is computed, by coin, without zeros.
 * One index probe per coin ever held: the coins are found by skipping through the index.
 */
export async function openingBalances(input: {
  db: Db | ReadonlyDb
  bookId: string
  atMs: number
}): Promise<Map<string, Decimal>> {
  const scope = sql`book_id = ${input.bookId}`
  const { rows } = await sql<{ coin_id: string; raw: string; decimals: number }>`
    with recursive held (coin_id) as (
      (select coin_id from balance_days where ${scope} order by coin_id limit 1)
      union all
      select (select coin_id from balance_days where ${scope} and coin_id > held.coin_id order by coin_id limit 1)
      from held where held.coin_id is not null
    )
    select held.coin_id, balance.raw, balance.decimals
    from held cross join lateral (
      select raw, decimals from balance_days
      where ${scope} and coin_id = held.coin_id and at <= ${new Date(input.atMs)}
      order by at desc limit 1
    ) as balance
    order by held.coin_id`.execute(input.db as Db)
  const balances = new Map<string, Decimal>()
  for (const row of rows) {
    const quantity = fromRaw(BigInt(row.raw), row.decimals)
    if (!isZero(quantity)) balances.set(row.coin_id, quantity)
  }
  return balances
}
