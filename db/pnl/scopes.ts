import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connect.ts'
import { HOUR_MS } from '../values/periods.ts'
import { type Book, keyOf } from './books.ts'
import type { BookRow } from './tables.ts'

/** How long an own transfer may be under way; later arrivals are a withdrawal and a deposit. */
export const MATCH_WINDOW_MS = 72 * HOUR_MS

/**
 * The first departure that may be in another pair after a change at `fromMs`: whether one came over a bridge is decided
 * when its window is over, among what left up to a window before it.
 */
export const matchedSince = (fromMs: number): number => Math.max(fromMs - 2 * MATCH_WINDOW_MS, 0)

/** What is looked at together: one book, all books of a wallet, or those of all portfolios of an account. */
export interface Scope {
  id: string
  /** its books are other ones since then; null: its transfers are matched */
  dirtyMs: number | null
  books: Book[]
}

/** What changes scopes: a book, or other portfolios of an account. */
export type Change = { bookId: string } | { accountId: string }

/**
 * The scopes that a change concerns, made where they are not there: of a book itself, of its wallet where that has several,
 * of the accounts that follow it; of an account itself and of each of its books. They are locked in the order of their
 * ids, so that two transactions wait for each other and never both. To be called after the state of the book is locked.
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

/** The condition on `scopes` under which a change concerns one. */
export function concerns(change: Change): RawBuilder<boolean> {
  return 'bookId' in change
    ? sql`id in (
        select id from scopes where book_id = ${change.bookId}
        union all
        select own.id from scopes as own join books using (wallet_id) where books.id = ${change.bookId}
        union all
        select own.id from scopes as own join portfolio_books as book using (account_id) where book.book_id = ${change.bookId})`
    : sql`id in (
        select id from scopes where account_id = ${change.accountId}
        union all
        select own.id from scopes as own join portfolio_books as book using (book_id)
        where book.account_id = ${change.accountId})`
}

/** Computed books of scopes, in the order of their ids. */
export async function readScopeBooks(db: Db, scopeIds: readonly string[]): Promise<Map<string, Book[]>> {
  const { rows } = await sql<BookRow & { id: string; scope_id: string }>`
    select scope_id, books.* from scope_books join books on id = book_id
    where scope_id = any(${[...scopeIds]}::bigint[]) order by id`.execute(db)
  const groups = Map.groupBy(rows, (row) => row.scope_id)
  return new Map([...groups].map(([id, own]) => [id, own.map((row) => ({ id: row.id, ...keyOf(row) }))]))
}

/** Always in the same order, as two transactions may make the same rows. */
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
