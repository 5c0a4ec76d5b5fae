import { sql } from 'kysely'
import type { Db } from '../../schema.ts'
import { type BookKey, keyOf } from '../books.ts'
import { IS_DUE } from '../lots/folds.ts'
import type { BookRow } from '../tables.ts'

/** A book, or an account whose portfolios changed. */
export type DuePnl = BookKey | { accountId: string }

/**
 * Returns P&L that is behind: changed since it was computed, or without the last midnight. The first run of a
 * wallet or exchange account belongs to its sync.
 */
export async function duePnl(input: { db: Db; midnight: Date; limit: number }): Promise<DuePnl[]> {
  const { rows } = await sql<Omit<BookRow, 'id'> & { account_id: string }>`
    with dirty as materialized (
      select * from scopes where id in (select scope_id from folds where ${IS_DUE})
    )
    select wallet_id, network_id, connection_id, portfolio_id, null as account_id, dirty_from, book_id as position
    from pl_states join books on books.id = book_id
    where (computed_to is not null or portfolio_id is not null)
      and (dirty_from is not null or computed_to < ${input.midnight}
        or book_id = any(array(select book_id from dirty)) or wallet_id = any(array(select wallet_id from dirty)))
    union all
    select null, null, null, null, account_id, null, id from scopes
    where account_id is not null and (dirty_from is not null or id in (select id from dirty))
    order by dirty_from nulls last, account_id nulls first, position limit ${input.limit}`.execute(input.db)
  return rows.map((row) => (row.account_id === null ? keyOf(row) : { accountId: row.account_id }))
}
