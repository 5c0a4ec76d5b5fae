import { type Selectable, sql } from 'kysely'
import type pg from 'pg'
import { foldScopeIn } from '../../activities/pnl/fold-scope.ts'
import { recomputeBookIn } from '../../activities/pnl/recompute-books.ts'
import type { Db } from '../../db/schema.ts'
import { keyOf } from '../../db/pnl/books.ts'
import { legSource } from '../../db/pnl/legs/leg-source.ts'
import { readScopeBooks } from '../../db/pnl/scopes.ts'
import type { BookRow } from '../../db/pnl/tables.ts'
import { SERIALIZATION_FAILURE, sqlStateOf, transact, type Transaction } from '../../db/transact.ts'
import { type Check, MOST_DIFFERENCES } from './check.ts'

interface Input {
  pool: pg.Pool
  /** One portfolio; null: a sample of all. */
  portfolioId: string | null
  /** Number of books, and of folds, to recompute. */
  sample: number
  onProgress: (share: number) => void
}

/** Thrown to roll a transaction back on purpose. */
class TakenBack extends Error {}

/** Compares the days and months of P&L with a full recomputation, to the last digit. Stores nothing. */
export async function checkPnl(input: Input): Promise<Check[]> {
  const { pool, portfolioId, sample, onProgress } = input
  const books = await readBooks(pool, portfolioId)
  const folds = await readFolds(pool, portfolioId)
  return [
    await compareEach({
      check: 'P&L days = full recomputation',
      things: books,
      sample,
      compare: (book) => compareBook(pool, book),
      onProgress: (part) => onProgress(part / 2),
    }),
    await compareEach({
      check: 'cost and profit of coins = full recomputation',
      things: folds,
      sample,
      compare: (fold) => compareFold(pool, fold),
      onProgress: (part) => onProgress((1 + part) / 2),
    }),
  ]
}

/** `compare` returns the differences; null: the worker has yet to bring the thing up to date. */
async function compareEach<T extends { clean: boolean }>(input: {
  check: string
  things: readonly T[]
  sample: number
  compare: (thing: T) => Promise<string[] | null>
  onProgress: (share: number) => void
}): Promise<Check> {
  const { check, things, sample, compare, onProgress } = input
  const chosen = things.filter(({ clean }) => clean).slice(0, sample)
  const result: Check = {
    check,
    compared: 0,
    behind: things.filter(({ clean }) => !clean).length,
    differences: [],
  }
  for (const [i, thing] of chosen.entries()) {
    onProgress(i / chosen.length)
    const found = await compare(thing)
    if (found === null) result.behind++
    else result.compared++
    result.differences.push(...(found ?? []))
    if (result.differences.length >= MOST_DIFFERENCES) break
  }
  return result
}

type BookToCheck = Selectable<BookRow> & { computed_to: Date | null; clean: boolean }

async function readBooks(pool: pg.Pool, portfolioId: string | null): Promise<BookToCheck[]> {
  const { rows } = await pool.query<BookToCheck>(
    `select b.*, s.computed_to, s.dirty_from is null and s.computed_to is not null as clean
     from books b join pl_states s on s.book_id = b.id
     where $1::uuid is null or b.connection_id = $1 or b.portfolio_id = $1 or (b.wallet_id, b.network_id) in (
       select w.id, p.network_id from portfolios p join wallets w on w.address = p.address where p.id = $1)
     order by random()`,
    [portfolioId],
  )
  return rows
}

function compareBook(pool: pg.Pool, book: BookToCheck): Promise<string[] | null> {
  const key = keyOf(book)
  const stored = sql`pl_days where book_id = ${book.id}`
  return takeBack(pool, async (transaction) => {
    const { db } = transaction
    const { rows } = await sql<{ changed: boolean }>`
      select dirty_from is not null as changed from pl_states where book_id = ${book.id}`.execute(db)
    if (rows[0]?.changed !== false) return null
    const before = await rowTexts(db, stored, sql`at`)
    // Takes the locks in the order of the worker.
    await legSource({ ...key, id: book.id }).lock(db)
    await sql`update pl_states set computed_to = null where book_id = ${book.id}`.execute(db)
    await recomputeBookIn(transaction, { book: key, nowMs: book.computed_to!.getTime() })
    return differencesOf(
      `book ${book.id} (${JSON.stringify(key)})`,
      before,
      await rowTexts(db, stored, sql`at`),
    )
  })
}

interface FoldToCheck {
  id: string
  scope_id: string
  method: string
  folded_at: Date | null
  clean: boolean
}

async function readFolds(pool: pg.Pool, portfolioId: string | null): Promise<FoldToCheck[]> {
  const { rows } = await pool.query<FoldToCheck>(
    `select f.id, f.scope_id, f.method, f.folded_at,
       f.dirty_from is null and f.uses_revision = f.revision and f.folded_at is not null and s.dirty_from is null as clean
     from folds f join scopes s on s.id = f.scope_id
     where $1::uuid is null or s.book_id in (
       select b.id from books b left join wallets w on w.id = b.wallet_id
       left join portfolios p on p.address = w.address and p.network_id = b.network_id
       where b.connection_id = $1 or b.portfolio_id = $1 or p.id = $1)
     order by random()`,
    [portfolioId],
  )
  return rows
}

function compareFold(pool: pg.Pool, fold: FoldToCheck): Promise<string[] | null> {
  const stored = sql`coin_folds left join coin_fold_days using (fold_id, coin_id, month) where fold_id = ${fold.id}`
  const key = sql`coin_id, month`
  return takeBack(pool, async ({ db }) => {
    const books = (await readScopeBooks(db, [fold.scope_id])).get(fold.scope_id) ?? []
    const { rows } = await sql<{ changed: boolean }>`
      select f.dirty_from is not null or f.uses_revision is distinct from f.revision or exists (
        select from pl_states where book_id = any(${books.map(({ id }) => id)}::bigint[]) and dirty_from is not null
      ) as changed from folds f where f.id = ${fold.id}`.execute(db)
    // A fold lacks the changes that its books have yet to compute.
    if (rows[0]?.changed !== false) return null
    const before = await rowTexts(db, stored, key)
    await sql`update folds set dirty_from = '1970-01-01' where id = ${fold.id}`.execute(db)
    await foldScopeIn(db, { foldId: fold.id, nowMs: fold.folded_at!.getTime() })
    return differencesOf(
      `coins of fold ${fold.id} by ${fold.method}`,
      before,
      await rowTexts(db, stored, key),
    )
  })
}

/**
 * Runs `work` on one snapshot, in a transaction that is always rolled back. Also returns null if another
 * transaction has changed the same rows meanwhile.
 */
async function takeBack<T>(
  pool: pg.Pool,
  work: (transaction: Transaction) => Promise<T | null>,
): Promise<T | null> {
  let result: T | null = null
  await transact(pool, async (transaction) => {
    await transaction.client.query('set transaction isolation level repeatable read')
    result = await work(transaction)
    throw new TakenBack()
  }).catch((error: unknown) => {
    if (!(error instanceof TakenBack) && sqlStateOf(error) !== SERIALIZATION_FAILURE) throw error
  })
  return result
}

/** Returns each row as text by its key, without the column that says when it was written. */
async function rowTexts(
  db: Db,
  from: ReturnType<typeof sql>,
  key: ReturnType<typeof sql>,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; text: string }>`
    select concat_ws(' ', ${key}) as key, (to_jsonb(t) - 'recorded_at')::text as text from (select * from ${from}) t`.execute(
    db,
  )
  return new Map(rows.map(({ key: name, text }) => [name, text]))
}

function differencesOf(
  name: string,
  stored: ReadonlyMap<string, string>,
  computed: ReadonlyMap<string, string>,
): string[] {
  const keys = [...new Set([...stored.keys(), ...computed.keys()])]
  const wrong = keys.filter((key) => stored.get(key) !== computed.get(key))
  return wrong.slice(0, 3).map((key) => {
    const [now, anew] = [stored.get(key) ?? 'no row', computed.get(key) ?? 'no row']
    return `${name}, ${key}: stored ${now}, computed ${anew}${wrong.length > 3 ? ` (and ${wrong.length - 1} more rows)` : ''}`
  })
}
