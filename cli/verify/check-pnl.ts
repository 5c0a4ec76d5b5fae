import { sql } from 'kysely'
import type pg from 'pg'
import { foldScopeIn } from '../../activities/pnl/fold-scope.ts'
import { recomputeBookIn } from '../../activities/pnl/recompute-book.ts'
import type { Db } from '../../db/connect.ts'
import { keyOf } from '../../db/pnl/books.ts'
import { readScopeBooks } from '../../db/pnl/scopes.ts'
import type { BookRow } from '../../db/pnl/tables.ts'
import { transact } from '../../db/transact.ts'
import { type Check, MOST_DIFFERENCES } from './check.ts'

interface Input {
  pool: pg.Pool
  /** Of one portfolio; null: of a sample of all. */
  portfolioId: string | null
  /** Books and folds that are computed anew, each. */
  sample: number
  onProgress: (share: number) => void
}

/** Takes a transaction back on purpose. */
class TakenBack extends Error {}

/** Days and months of P&L as a full recomputation has them, to the last digit. Nothing of it is kept. */
export async function checkPnl(input: Input): Promise<Check[]> {
  return [await checkBooks(input), await checkFolds(input)]
}

type BookToCheck = BookRow & { computed_to: Date | null; clean: boolean }

async function checkBooks({ pool, portfolioId, sample, onProgress }: Input): Promise<Check> {
  const books = await takeBack(pool, async (db) => {
    const { rows } = await sql<BookToCheck>`
      select b.*, s.computed_to, s.dirty_from is null and s.computed_to is not null as clean
      from books b join pl_states s on s.book_id = b.id
      where ${portfolioId}::uuid is null or b.connection_id = ${portfolioId}::uuid or b.portfolio_id = ${portfolioId}::uuid
        or (b.wallet_id, b.network_id) in (
          select w.id, p.network_id from portfolios p join wallets w on w.address = p.address
          where p.id = ${portfolioId}::uuid)
      order by random()`.execute(db)
    return rows
  })
  const clean = books.filter((book) => book.clean).slice(0, sample)
  const differences: string[] = []
  for (const [i, book] of clean.entries()) {
    onProgress(i / clean.length / 2)
    const key = keyOf(book)
    const rowsOf = (db: Db) => rowTexts(db, sql`pl_days where book_id = ${book.id}`, sql`at`)
    const name = `book ${book.id} (${JSON.stringify(key)})`
    const found = await takeBack(pool, async (db, transaction) => {
      // A change that has come since then is the worker's to settle.
      const { rows } = await sql<{ changed: boolean }>`
        select dirty_from is not null as changed from pl_states where book_id = ${book.id} for update`.execute(
        db,
      )
      if (rows[0]?.changed) return []
      const stored = await rowsOf(db)
      await sql`update pl_states set computed_to = null where book_id = ${book.id}`.execute(db)
      await recomputeBookIn(transaction, { book: key, nowMs: book.computed_to!.getTime() })
      return differencesOf(name, stored, await rowsOf(db))
    })
    differences.push(...found)
    if (differences.length >= MOST_DIFFERENCES) break
  }
  return {
    check: 'P&L days = full recomputation',
    ...{ compared: clean.length, behind: books.filter((book) => !book.clean).length, differences },
  }
}

interface FoldToCheck {
  id: string
  scope_id: string
  method: string
  folded_at: Date | null
  clean: boolean
}

async function checkFolds({ pool, portfolioId, sample, onProgress }: Input): Promise<Check> {
  const folds = await takeBack(pool, async (db) => {
    const { rows } = await sql<FoldToCheck>`
      select f.id, f.scope_id, f.method, f.folded_at,
        f.dirty_from is null and f.folded_at is not null and s.dirty_from is null as clean
      from folds f join scopes s on s.id = f.scope_id
      where ${portfolioId}::uuid is null or s.book_id in (
        select b.id from books b left join wallets w on w.id = b.wallet_id
        left join portfolios p on p.address = w.address and p.network_id = b.network_id
        where b.connection_id = ${portfolioId}::uuid or b.portfolio_id = ${portfolioId}::uuid or p.id = ${portfolioId}::uuid)
      order by random()`.execute(db)
    return rows
  })
  const clean = folds.filter((fold) => fold.clean).slice(0, sample)
  const differences: string[] = []
  let changed = 0
  for (const [i, fold] of clean.entries()) {
    onProgress(0.5 + i / clean.length / 2)
    const rowsOf = (db: Db) => rowTexts(db, sql`coin_folds where fold_id = ${fold.id}`, sql`coin_id, month`)
    const found = await takeBack(pool, async (db) => {
      const books = (await readScopeBooks(db, [fold.scope_id])).get(fold.scope_id) ?? []
      const { rows } = await sql<{ changed: boolean }>`
        select f.dirty_from is not null or exists (
          select from pl_states where book_id = any(${books.map(({ id }) => id)}::bigint[]) and dirty_from is not null
        ) as changed from folds f where f.id = ${fold.id} for update`.execute(db)
      // What its books have yet to settle is not in it.
      if (rows[0]?.changed !== false) {
        changed++
        return []
      }
      const stored = await rowsOf(db)
      await sql`update folds set dirty_from = '1970-01-01' where id = ${fold.id}`.execute(db)
      await foldScopeIn(db, { foldId: fold.id, nowMs: fold.folded_at!.getTime() })
      return differencesOf(`coins of fold ${fold.id} by ${fold.method}`, stored, await rowsOf(db))
    })
    differences.push(...found)
    if (differences.length >= MOST_DIFFERENCES) break
  }
  return {
    check: 'cost and profit of coins = full recomputation',
    compared: clean.length - changed,
    behind: folds.filter((fold) => !fold.clean).length + changed,
    differences,
  }
}

/** Runs `work` in a transaction that is taken back whatever comes of it. */
async function takeBack<T>(
  pool: pg.Pool,
  work: (db: Db, transaction: Parameters<typeof recomputeBookIn>[0]) => Promise<T>,
): Promise<T> {
  let result: { value: T } | undefined
  await transact(pool, async (transaction) => {
    result = { value: await work(transaction.db, transaction) }
    throw new TakenBack()
  }).catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error
  })
  return result!.value
}

/** Each row as Postgres writes it, by its key: the columns that say when it was written are left out. */
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
