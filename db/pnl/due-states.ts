import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import type { BookKey } from './books.ts'

/** P&L that is behind: changed since it was computed, or without the last midnight. The first run is the sync's. */
export async function duePnl(input: { db: Db; midnight: Date; limit: number }): Promise<BookKey[]> {
  const { rows } = await sql<{ wallet_id: string | null; network_id: string; connection_id: string }>`
    select wallet_id, network_id, connection_id from pl_states join books on books.id = book_id
    where computed_to is not null and (dirty_from is not null or computed_to < ${input.midnight} or exists (
      select from fold_scopes as scope where scope.dirty_from is not null
        and (scope.book_id = books.id or scope.wallet_id = books.wallet_id)))
    order by dirty_from nulls last, book_id limit ${input.limit}`.execute(input.db)
  return rows.map(({ wallet_id: walletId, network_id: networkId, connection_id: connectionId }) =>
    walletId === null ? { connectionId } : { walletId, networkId },
  )
}
