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

/** A manual transaction as its owner stated it. */
export interface CorrectableTransaction extends Omit<ListedManualTransaction, 'priceUsd'> {
  portfolioId: string
  price: string | null
  currency: string
  /** Differs after every change of the row. */
  version: string
}

/** A manual transaction of an account; undefined: the account has none with this id. */
export async function readCorrectableTransaction(
  db: ReadonlyDb,
  { accountId, id }: { accountId: string; id: string },
): Promise<CorrectableTransaction | undefined> {
  const [row] = await readSql(
    db,
    sql<CorrectableTransaction>`
      select stated.id, portfolio_id as "portfolioId", at, coin_id as "coinId", count, price, currency, note,
        stated.xmin::text as version
      from manual_transactions as stated join portfolios as owned on owned.id = portfolio_id
      where stated.id = ${id} and owned.account_id = ${accountId}`,
  )
  return row
}

/** Which of some ids are transactions of a portfolio already. */
export async function knownTransactions(
  db: ReadonlyDb,
  { portfolioId, ids }: { portfolioId: string; ids: readonly string[] },
): Promise<Set<string>> {
  const rows = await readSql(
    db,
    sql<{ id: string }>`
      select id from manual_transactions where portfolio_id = ${portfolioId} and id = any(${[...ids]}::uuid[])`,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * How many transactions of a portfolio have the instant, the coin and the count of each of some, in their order.
 * `except`: ids of those that do not count.
 */
export async function countEqualTransactions(
  db: ReadonlyDb,
  asked: {
    portfolioId: string
    except: readonly string[]
    transactions: readonly { at: Date; coinId: string; count: string }[]
  },
): Promise<number[]> {
  const { portfolioId, except, transactions } = asked
  const rows = await readSql(
    db,
    sql<{ n: number }>`
      select count(stated.id)::integer as n
      from unnest(
        ${transactions.map(({ at }) => at)}::timestamptz[], ${transactions.map(({ coinId }) => coinId)}::text[],
        ${transactions.map(({ count }) => count)}::numeric[]
      ) with ordinality as asked (at, coin_id, count, position)
      left join manual_transactions as stated on stated.portfolio_id = ${portfolioId} and stated.at = asked.at
        and stated.coin_id = asked.coin_id and stated.count = asked.count
        and stated.id <> all(${[...except]}::uuid[])
      group by position order by position`,
  )
  return rows.map(({ n }) => n)
}

/** A manual transaction of a known portfolio, as its owner stated it. */
export type StatedRow = Omit<CorrectableTransaction, 'portfolioId' | 'version'>

/** Transactions of a manual portfolio as its owner stated them, oldest first, from the one after `after` on. */
export async function readStatedTransactions(
  db: ReadonlyDb,
  { portfolioId, after, limit }: { portfolioId: string; after: StatedRow | undefined; limit: number },
): Promise<StatedRow[]> {
  return db
    .selectFrom('manual_transactions')
    .select(['id', 'at', 'coin_id as coinId', 'count', 'price', 'currency', 'note'])
    .where('portfolio_id', '=', portfolioId)
    .$if(after !== undefined, (rows) =>
      rows.where((eb) => eb(eb.refTuple('at', 'id'), '>', eb.tuple(after!.at, after!.id))),
    )
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
    .execute()
}
