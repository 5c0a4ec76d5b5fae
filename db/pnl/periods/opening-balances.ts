import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../schema.ts'
import { preparedSelect, readSql } from '../../read-sql.ts'
import { decimal, fromRaw, isZero } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { holderRows } from '../holders.ts'
import type { Holdings } from '../legs/value-unpriced.ts'
import type { BalanceDay } from '../tables.ts'

type BalanceRow = Pick<BalanceDay, 'coin_id' | 'raw' | 'decimals' | 'paid_quantity' | 'paid_usd'>

/** What a book holds at a midnight: see `openingsOf`. */
export async function openingHoldings(input: {
  db: Db | ReadonlyDb
  bookId: string
  atMs: number
}): Promise<Holdings> {
  const { bookId, ...at } = input
  const openings = await openingsOf({ ...at, bookIds: [bookId] })
  return openings.get(bookId) ?? { balances: new Map(), paid: new Map() }
}

/**
 * What books hold at a midnight up to which `balance_days` is computed, by coin, without zeros; nothing of a book
 * that never held a coin. What was paid may include coins that got a price since. One index probe per coin ever
 * held: backwards through the index, from the latest balance of one coin to that of the next. Prepared, because
 * planning takes as long as reading what one book holds.
 */
export async function openingsOf(input: {
  db: Db | ReadonlyDb
  bookIds: readonly string[]
  atMs: number
}): Promise<Map<string, Holdings>> {
  const columns = sql.raw('coin_id, raw, decimals, paid_quantity, paid_usd')
  const past = sql`book_id = book.id and at <= ${new Date(input.atMs)}`
  const query = sql<BalanceRow & { id: string }>`
    ${preparedSelect('openings')} book.id, opening.* from unnest(${[...input.bookIds]}::bigint[]) as book (id) cross join lateral (
      with recursive held as (
        (select ${columns} from balance_days where ${past} order by coin_id desc, at desc limit 1)
        union all
        select next.* from held cross join lateral (
          select ${columns} from balance_days where ${past} and coin_id < held.coin_id
          order by coin_id desc, at desc limit 1
        ) as next
      )
      select * from held
    ) as opening order by coin_id`
  const rows = await holderRows(['openings', input.bookIds, input.atMs], () => readSql(input.db, query))
  const openings = new Map<string, Holdings>()
  for (const row of rows) {
    const held = openings.get(row.id) ?? { balances: new Map(), paid: new Map() }
    openings.set(row.id, held)
    const quantity = fromRaw(BigInt(row.raw), row.decimals)
    if (!isZero(quantity)) held.balances.set(row.coin_id, quantity)
    if (row.paid_usd !== null)
      held.paid.set(row.coin_id, { quantity: decimal(row.paid_quantity!), usd: decimal(row.paid_usd) })
  }
  return openings
}

/** Balances of a book at some midnights after `afterMs`, in their order, without zeros. */
export async function balancesAt(input: {
  db: Db
  bookId: string
  afterMs: number
  midnights: readonly number[]
}): Promise<Map<string, Decimal>[]> {
  const { db, bookId, afterMs, midnights } = input
  const { balances } = await openingHoldings({ db, bookId, atMs: afterMs })
  const { rows } = await sql<{ coin_id: string; at: Date; raw: string; decimals: number }>`
    select coin_id, at, raw, decimals from balance_days
    where book_id = ${bookId} and at > ${new Date(afterMs)} and at <= ${new Date(midnights.at(-1)!)}
    order by at`.execute(db)
  let next = 0
  return midnights.map((ms) => {
    for (; next < rows.length && rows[next]!.at.getTime() <= ms; next++) {
      const { coin_id: coinId, raw, decimals } = rows[next]!
      const quantity = fromRaw(BigInt(raw), decimals)
      if (isZero(quantity)) balances.delete(coinId)
      else balances.set(coinId, quantity)
    }
    return new Map(balances)
  })
}
