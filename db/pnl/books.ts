import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../connect.ts'
import { readSql } from '../read-sql.ts'

/** What a book is the ledger of. */
export type BookKey = { walletId: string; networkId: string } | { connectionId: string }

/** Whatever holds coins and has a ledger of its own: a wallet on a network, or an account at an exchange. */
export type Book = BookKey & { id: string }

/** The book of a key; it is made when it is not there. */
export async function openBook(db: Db, key: BookKey): Promise<Book> {
  const { walletId, networkId, connectionId } = columnsOf(key)
  const { rows } = await sql<{ id: string }>`
    with known as (
      select id from books
      where (wallet_id = ${walletId} and network_id = ${networkId}) or connection_id = ${connectionId}
    ), made as (
      insert into books (wallet_id, network_id, connection_id)
      select ${walletId}::bigint, ${networkId}::text, ${connectionId}::uuid where not exists (select from known)
      on conflict do nothing returning id
    )
    select id from known union all select id from made`.execute(db)
  // Another transaction made it meanwhile: it is to be seen now.
  return rows[0] ? { ...key, id: rows[0].id } : await openBook(db, key)
}

/** The books that some keys have, in their order. A key that nothing was computed for has none. */
export async function readBooks<K extends BookKey>(
  db: ReadonlyDb,
  keys: readonly K[],
): Promise<(K & { id: string })[]> {
  if (keys.length === 0) return []
  const columns = keys.map(columnsOf)
  const rows = await readSql(
    db,
    sql<{ id: string; position: number }>`
      select book.id, key.position::integer as position
      from unnest(${columns.map((key) => key.walletId)}::bigint[], ${columns.map((key) => key.networkId)}::text[],
        ${columns.map((key) => key.connectionId)}::uuid[]) with ordinality
        as key (wallet_id, network_id, connection_id, position)
      join books as book on (book.wallet_id = key.wallet_id and book.network_id = key.network_id)
        or book.connection_id = key.connection_id
      order by key.position`,
  )
  return rows.map(({ id, position }) => ({ ...keys[position - 1]!, id }))
}

/** The books between which a transfer may be an own one: those of the same wallet. */
export async function readSiblings(db: Db, book: Book): Promise<Book[]> {
  if (!('walletId' in book)) return [book]
  const rows = await db
    .selectFrom('books')
    .innerJoin('pl_states', 'pl_states.book_id', 'books.id')
    .select(['books.id', 'books.network_id'])
    .where('wallet_id', '=', book.walletId)
    .orderBy('books.id')
    .execute()
  return rows.map(({ id, network_id }) => ({ id, walletId: book.walletId, networkId: network_id! }))
}

function columnsOf(key: BookKey) {
  return {
    walletId: 'walletId' in key ? key.walletId : null,
    networkId: 'walletId' in key ? key.networkId : null,
    connectionId: 'walletId' in key ? null : key.connectionId,
  }
}
