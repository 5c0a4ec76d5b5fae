import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

/** A manual transaction as it is listed. */
export interface ListedManualTransaction {
  id: string
  at: Date
  coinId: string
  /** Decimal text, negative when sold. */
  count: string
  /** Price of one; null: the coin had no price. */
  priceUsd: string | null
  note: string | null
}

/** Transactions by the index of their ids; deleted ones are left out. */
export async function readManualTransactions(
  db: ReadonlyDb,
  ids: readonly string[],
): Promise<Map<number, ListedManualTransaction>> {
  if (ids.length === 0) return new Map()
  const rows = await readSql(
    db,
    sql<ListedManualTransaction & { index: number }>`
      select position::integer - 1 as index, stated.id, at, coin_id as "coinId", count, price_usd as "priceUsd", note
      from unnest(${[...ids]}::uuid[]) with ordinality as asked (id, position)
      join manual_transactions as stated on stated.id = asked.id`,
  )
  return new Map(rows.map((row) => [row.index, row]))
}
