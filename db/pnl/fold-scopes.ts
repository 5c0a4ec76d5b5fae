import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../connect.ts'
import { HOUR_MS } from '../values/periods.ts'
import { type Book, readSiblings } from './books.ts'

/** How long an own transfer may be under way; later arrivals are a withdrawal and a deposit. */
export const MATCH_WINDOW_MS = 72 * HOUR_MS

/** What coin rows are folded over: some books together. */
export interface FoldScope {
  id: string
  books: Book[]
}

/**
 * Notes that the coin rows of a book changed from an instant on, and those of its wallet where that has several books: a
 * transfer between them that is found now may have left some days before. To be called in the same transaction as the
 * recompute.
 */
export async function markScopesDirty(input: { db: Db; book: Book; fromMs: number }): Promise<void> {
  const { db, book } = input
  const from = new Date(Math.max(input.fromMs, 0))
  await sql`
    insert into fold_scopes (book_id, dirty_from) values (${book.id}, ${from})
    on conflict (book_id) do update set dirty_from = least(fold_scopes.dirty_from, excluded.dirty_from)`.execute(
    db,
  )
  if (!('walletId' in book) || (await readSiblings(db, book)).length < 2) return
  const left = new Date(Math.max(from.getTime() - MATCH_WINDOW_MS, 0))
  await sql`
    insert into fold_scopes (wallet_id, dirty_from) values (${book.walletId}, timestamptz 'epoch')
    on conflict (wallet_id) do update set dirty_from = least(fold_scopes.dirty_from, ${left})`.execute(db)
}

/** The scopes of a book that have changes to fold. */
export async function dirtyScopes(db: Db, book: Book): Promise<FoldScope[]> {
  const walletId = 'walletId' in book ? book.walletId : null
  const { rows } = await sql<{ id: string; book_id: string | null }>`
    select id, book_id from fold_scopes
    where dirty_from is not null and (book_id = ${book.id} or wallet_id = ${walletId}) order by id`.execute(
    db,
  )
  const siblings = await readSiblings(db, book)
  return rows.map(({ id, book_id }) => ({ id, books: book_id === null ? siblings : [book] }))
}

/** The scope that holds exactly these books of one owner; null while it is not folded yet. */
export async function findScope(db: ReadonlyDb, books: readonly Book[]): Promise<string | null> {
  const [first] = books
  if (!first) return null
  const one = db.selectFrom('fold_scopes').select('id').where('folded_at', 'is not', null)
  const row = await (
    books.length > 1 && 'walletId' in first
      ? one.where('wallet_id', '=', first.walletId)
      : one.where('book_id', '=', first.id)
  ).executeTakeFirst()
  return row?.id ?? null
}
