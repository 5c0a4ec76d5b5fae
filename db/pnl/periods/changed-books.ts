import { sql } from 'kysely'
import type { Db } from '../../schema.ts'
import type { Book } from '../books.ts'

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
