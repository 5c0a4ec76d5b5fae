import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../schema.ts'
import { HOUR_MS } from '../values/periods.ts'
import { type Book, keyOf } from './books.ts'
import type { BookRow } from './tables.ts'

/** Longest duration of an own transfer; a later arrival makes it a withdrawal and a deposit. */
export const MATCH_WINDOW_MS = 72 * HOUR_MS

/**
 * Earliest departure whose match may differ after a change at `fromMs`. A bridge is decided when the window
 * of its arrival is over, among departures up to one window before that arrival.
 */
export const matchedSince = (fromMs: number): number => Math.max(fromMs - 2 * MATCH_WINDOW_MS, 0)

/** Books computed together: one book, those of a wallet, or those of all portfolios of an account. */
export interface Scope {
  id: string
  /** its set of books changed from then on; null: its transfers are matched */
  dirtyMs: number | null
  books: Book[]
}

/** A change of a book, or of the portfolios of an account. */
export type Change = { bookId: string } | { accountId: string }

/** A change, or changes of several books. */
export type Changes = Change | { bookIds: readonly string[] }

/**
 * Locks and returns the scopes that a change concerns, and creates missing ones. For a book: its own scope,
 * that of its wallet if it has several books, and those of the accounts that follow it. For an account: its
 * own scope and those of its books. Locks in the order of the ids, so that transactions cannot deadlock. Call
 * it after locking the book's state.
 */
export async function lockScopes(db: Db, change: Change): Promise<Scope[]> {
  await sql`insert into scopes (book_id, wallet_id, account_id) ${ownersOf(change)} on conflict do nothing`.execute(
    db,
  )
  const { rows } = await sql<{ id: string; dirty_from: Date | null }>`
    select id, dirty_from from scopes where ${concerns(change)} order by id for no key update`.execute(db)
  const books = await readScopeBooks(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, dirty_from }) => ({
    id,
    dirtyMs: dirty_from?.getTime() ?? null,
    books: books.get(id) ?? [],
  }))
}

/** SQL condition on `scopes` that selects those a change, or the changes of some books, concern. */
export function concerns(change: Changes): RawBuilder<boolean> {
  if ('accountId' in change)
    return sql`id in (
        select id from scopes where account_id = ${change.accountId}
        union all
        select own.id from scopes as own join portfolio_books as book using (book_id)
        where book.account_id = ${change.accountId})`
  const bookIds = 'bookId' in change ? [change.bookId] : [...change.bookIds]
  return sql`id in (
        select id from scopes where book_id = any(${bookIds}::bigint[])
        union all
        select own.id from scopes as own join books using (wallet_id) where books.id = any(${bookIds}::bigint[])
        union all
        select own.id from scopes as own join portfolio_books as book using (account_id)
        where book.book_id = any(${bookIds}::bigint[]))`
}

/** Returns the computed books of each scope, ordered by id. */
export async function readScopeBooks(db: Db, scopeIds: readonly string[]): Promise<Map<string, Book[]>> {
  const { rows } = await sql<BookRow & { id: string; scope_id: string }>`
    select scope_id, books.* from scope_books join books on id = book_id
    where scope_id = any(${[...scopeIds]}::bigint[]) order by id`.execute(db)
  const groups = Map.groupBy(rows, (row) => row.scope_id)
  return new Map([...groups].map(([id, own]) => [id, own.map((row) => ({ id: row.id, ...keyOf(row) }))]))
}

/** Always in the same order, because two transactions may insert the same rows. */
function ownersOf(change: Change): RawBuilder<unknown> {
  if ('accountId' in change) return sql`values (null::bigint, null::bigint, ${change.accountId}::uuid)`
  const { bookId } = change
  return sql`
    (select ${bookId}::bigint, null::bigint, null::uuid)
    union all
    (select null, wallet_id, null from books join pl_states on book_id = id
     where computed_to is not null and wallet_id = (select wallet_id from books where id = ${bookId})
     group by wallet_id having count(*) > 1)
    union all
    (select distinct null::bigint, null::bigint, account_id from portfolio_books
     where book_id = ${bookId} and account_id is not null
     order by account_id)`
}
