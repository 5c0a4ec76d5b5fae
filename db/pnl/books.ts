import { sql, type RawBuilder } from 'kysely'
import type { Db, ReadonlyDb } from '../schema.ts'
import { prepared, preparedSelect, readSql, readText } from '../read-sql.ts'
import { holderRows } from './holders.ts'

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
  const rows = await holderRows(['books', columns], () =>
    readSql(
      db,
      sql<{ id: string; position: number }>`
        ${preparedSelect('books')} book.id, key.position::integer as position
        from unnest(${columns.map((key) => key.walletId)}::bigint[], ${columns.map((key) => key.networkId)}::text[],
          ${columns.map((key) => key.connectionId)}::uuid[], ${columns.map((key) => key.portfolioId)}::uuid[])
          with ordinality as key (wallet_id, network_id, connection_id, portfolio_id, position)
        join books as book on (book.wallet_id = key.wallet_id and book.network_id = key.network_id)
          or book.connection_id = key.connection_id or book.portfolio_id = key.portfolio_id
        order by key.position`,
    ),
  )
  return rows.map(({ id, position }) => ({ ...keys[position - 1]!, id }))
}

type KeyColumns = Record<'wallet_id' | 'network_id' | 'connection_id' | 'portfolio_id', string | null>

/** Key of a row of `books`. */
export function keyOf(row: KeyColumns): BookKey {
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

/**
 * Marks a book dirty from its earliest changed leg on. Call it in the transaction of the change: the recompute
 * locks the row while it runs, so no change is lost between the two. The recompute also looks up the prices
 * of the legs written up to `to` again, because newer ones may have been stored since; without `to`, of all.
 */
export async function markBookDirty(input: { db: Db; book: BookKey; from: Date; to?: Date }): Promise<void> {
  const { db, book, from, to = 'infinity' } = input
  const { id } = await openBook(db, book)
  await sql`
    insert into pl_states (book_id, dirty_from, repriced_from, repriced_to, legs_changed)
    values (${id}, ${from}, ${from}, ${to}::timestamptz, true)
    on conflict (book_id) do update set dirty_from = least(pl_states.dirty_from, excluded.dirty_from),
      repriced_from = least(pl_states.repriced_from, excluded.repriced_from),
      repriced_to = greatest(pl_states.repriced_to, excluded.repriced_to), legs_changed = true`.execute(db)
}

/**
 * Marks the books of wallets on a network dirty from their earliest changed legs on, as `markBookDirty` does
 * with one.
 */
export async function markWalletsDirty(
  db: Db,
  {
    networkId,
    changes,
  }: { networkId: string; changes: readonly { walletId: string; from: Date; to: Date }[] },
): Promise<void> {
  if (changes.length === 0) return
  const walletIds = changes.map(({ walletId }) => walletId)
  await sql`
    insert into books (wallet_id, network_id)
    select wallet_id, ${networkId} from unnest(${walletIds}::bigint[]) as changed (wallet_id)
    where not exists (select from books as known where known.wallet_id = changed.wallet_id and network_id = ${networkId})
    order by wallet_id on conflict do nothing`.execute(db)
  await sql`
    insert into pl_states (book_id, dirty_from, repriced_from, repriced_to, legs_changed)
    select book.id, changed.from_at, changed.from_at, changed.to_at, true
    from unnest(${walletIds}::bigint[], ${changes.map(({ from }) => from)}::timestamptz[],
      ${changes.map(({ to }) => to)}::timestamptz[]) as changed (wallet_id, from_at, to_at)
    join books as book on book.wallet_id = changed.wallet_id and book.network_id = ${networkId}
    order by book.id
    on conflict (book_id) do update set dirty_from = least(pl_states.dirty_from, excluded.dirty_from),
      repriced_from = least(pl_states.repriced_from, excluded.repriced_from),
      repriced_to = greatest(pl_states.repriced_to, excluded.repriced_to), legs_changed = true`.execute(db)
}

/** Marks an account after a change of its portfolios or cost method, in the transaction of the change. */
export async function markAccountDirty(db: Db, accountId: string): Promise<void> {
  await sql`select mark_account_dirty(${accountId})`.execute(db)
}

/** Deletes a portfolio with all data that only it had. The book of a wallet stays. */
export async function forgetPortfolio(db: Db, portfolioId: string): Promise<void> {
  await sql`select forget_portfolio(${portfolioId})`.execute(db)
}

/** Books that are read together: one, some of one wallet, or those of all portfolios of an account. */
export interface BookSet {
  books: readonly Book[]
  /** set when these are all books of the account: a transfer between any two of them is no flow */
  accountId?: string | undefined
}

/**
 * $1 portfolios. Prepared, because planning takes longer than reading; with the names of its columns, because the
 * tables of a past instant have fewer.
 */
const PORTFOLIO_BOOKS = prepared(
  'portfolio_books',
  `select own.portfolio_id as of_portfolio, book.id, book.wallet_id, book.network_id, book.connection_id, book.portfolio_id
   from portfolio_books as own join books as book on book.id = own.book_id
   where own.portfolio_id = any($1::uuid[]) order by book.id`,
)

/** Returns the book of each portfolio. A portfolio without computed P&L has none. */
export const readPortfolioBooks = (
  db: ReadonlyDb,
  portfolioIds: readonly string[],
): Promise<ReadonlyMap<string, Book>> =>
  holderRows(['portfolio books', portfolioIds], async () => {
    const rows = await readText<KeyColumns & { id: string; of_portfolio: string }>(db, {
      text: PORTFOLIO_BOOKS,
      values: [portfolioIds],
    })
    return new Map(rows.map((row) => [row.of_portfolio, { id: row.id, ...keyOf(row) }]))
  })

/** Returns the books of the requested portfolios. `isWhole`: they are all portfolios of the account. */
export async function readBookSet(
  db: ReadonlyDb,
  selected: { accountId: string; portfolios: readonly { id: string }[]; isWhole: boolean },
): Promise<BookSet> {
  const books = await readPortfolioBooks(
    db,
    selected.portfolios.map(({ id }) => id),
  )
  return { books: [...books.values()], accountId: selected.isWhole ? selected.accountId : undefined }
}

/** SQL condition on `scopes` that selects the scope of the set. */
export function isScopeOf({ books, accountId }: BookSet): RawBuilder<boolean> {
  const [first] = books
  if (accountId !== undefined) return sql`account_id = ${accountId}`
  if (books.length > 1 && first && 'walletId' in first) return sql`wallet_id = ${first.walletId}`
  return sql`book_id = ${first?.id ?? null}`
}
