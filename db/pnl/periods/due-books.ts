import { sql } from 'kysely'
import type { Db } from '../../schema.ts'
import { type Book, keyOf } from '../books.ts'
import { IS_DUE } from '../lots/folds.ts'
import type { BookRow } from '../tables.ts'

/** A book that is due. `isBehind`: its days are; else only coin rows that it is in. */
export type DueBook = Book & { isBehind: boolean }

const DIRTY = sql`dirty as materialized (select * from scopes where id in (select scope_id from folds where ${IS_DUE}))`

/**
 * Books whose P&L is behind: changed since it was computed, or without the last midnight. In the order of their ids,
 * after `afterId`. The first run of a wallet or exchange account belongs to its sync.
 */
export async function dueBooks(input: {
  db: Db
  midnight: Date
  afterId: string
  limit: number
}): Promise<DueBook[]> {
  const { rows } = await sql<BookRow & { id: string; is_behind: boolean }>`
    with ${DIRTY}, due as (
      select book_id as id, wallet_id, network_id, connection_id, portfolio_id,
        dirty_from is not null or computed_to is null or computed_to < ${input.midnight} as is_behind
      from pl_states join books on books.id = book_id
      where book_id > ${input.afterId} and (computed_to is not null or portfolio_id is not null)
    )
    select * from due
    where is_behind or id = any(array(select book_id from dirty)) or wallet_id = any(array(select wallet_id from dirty))
    order by id limit ${input.limit}`.execute(input.db)
  return rows.map((row) => ({ ...keyOf(row), id: row.id, isBehind: row.is_behind }))
}

/** Accounts whose portfolios, or coin rows of all of them, changed since they were computed. */
export async function dueAccounts(input: { db: Db; limit: number }): Promise<{ accountId: string }[]> {
  const { rows } = await sql<{ account_id: string }>`
    with ${DIRTY}
    select account_id from scopes
    where account_id is not null and (dirty_from is not null or id in (select id from dirty))
    order by id limit ${input.limit}`.execute(input.db)
  return rows.map((row) => ({ accountId: row.account_id }))
}

/**
 * Books of wallets on followed networks whose legs changed since they were computed, first changes first. The first
 * run of a wallet belongs to its sync.
 */
export async function changedBooks(
  db: Db,
  { limit, except }: { limit: number; except: readonly string[] },
): Promise<Book[]> {
  const { rows } = await sql<{ id: string; walletId: string; networkId: string }>`
    select book.id, wallet_id as "walletId", network_id as "networkId"
    from pl_states join books as book on book.id = book_id
    where legs_changed and computed_to is not null and book.id <> all(${except}::bigint[])
      and network_id in (select network_id from network_follows where mode <> 'off')
    order by dirty_from, book.id limit ${limit}`.execute(db)
  return rows
}
