import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

/** The owner of a book: a wallet on a network, an exchange account or a manual portfolio. */
export type BookKey =
  | { walletId: string; networkId: string }
  | { connectionId: string }
  | { portfolioId: string }

/** A holder of coins with its own legs. */
export type Book = BookKey & { id: string }

/** Returns the book of a key and creates it if needed. */
export async function openBook(db: Db, key: BookKey): Promise<Book> {
  const { walletId, networkId, connectionId, portfolioId } = columnsOf(key)
  const { rows } = await sql<{ id: string }>`
    with known as (
      select id from books
      where (wallet_id = ${walletId} and network_id = ${networkId}) or connection_id = ${connectionId}
        or portfolio_id = ${portfolioId}
    ), made as (
      insert into books (wallet_id, network_id, connection_id, portfolio_id)
      select ${walletId}::bigint, ${networkId}::text, ${connectionId}::uuid, ${portfolioId}::uuid
      where not exists (select from known)
      on conflict do nothing returning id
    )
    select id from known union all select id from made`.execute(db)
  // A concurrent transaction has inserted it; the next attempt sees it.
  return rows[0] ? { ...key, id: rows[0].id } : await openBook(db, key)
}

/** Returns the books of some keys, in their order. A key without computed P&L has none. */
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
        ${columns.map((key) => key.connectionId)}::uuid[], ${columns.map((key) => key.portfolioId)}::uuid[])
        with ordinality as key (wallet_id, network_id, connection_id, portfolio_id, position)
      join books as book on (book.wallet_id = key.wallet_id and book.network_id = key.network_id)
        or book.connection_id = key.connection_id or book.portfolio_id = key.portfolio_id
      order by key.position`,
  )
  return rows.map(({ id, position }) => ({ ...keys[position - 1]!, id }))
}

/** Key of a row of `books`. */
export function keyOf(
  row: Record<'wallet_id' | 'network_id' | 'connection_id' | 'portfolio_id', string | null>,
): BookKey {
  const { wallet_id: walletId, network_id: networkId, connection_id: connectionId } = row
  if (walletId !== null) return { walletId, networkId: networkId! }
  return connectionId !== null ? { connectionId } : { portfolioId: row.portfolio_id! }
}

function columnsOf(key: BookKey) {
  return {
    walletId: 'walletId' in key ? key.walletId : null,
    networkId: 'walletId' in key ? key.networkId : null,
    connectionId: 'connectionId' in key ? key.connectionId : null,
    portfolioId: 'portfolioId' in key ? key.portfolioId : null,
  }
}
