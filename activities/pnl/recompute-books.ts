import type pg from 'pg'
import { dirtyFolds } from '../../db/pnl/lots/folds.ts'
import type { DueBook } from '../../db/pnl/periods/due-books.ts'
import type { Db } from '../../db/schema.ts'
import { startOfPeriod, DAY_MS } from '../../db/values/periods.ts'
import { attemptAll, inHalves, type OnFailure } from '../many-items.ts'
import { foldScope } from './fold-scope.ts'
import { valueQuietBooks } from './value-quiet-books.ts'
import { type BookKey, openBook } from '../../db/pnl/books.ts'
import { legSource } from '../../db/pnl/legs/leg-source.ts'
import { openingHoldings } from '../../db/pnl/periods/opening-balances.ts'
import type { FirstPrices } from '../../db/pnl/legs/measured-legs.ts'
import { noteRuns } from '../../db/pnl/valuation/price-changes.ts'
import { endRuns, lockState } from '../../db/pnl/periods/run-state.ts'
import { lockScopes } from '../../db/pnl/scopes.ts'
import { deleteDaysOutside, writeDays } from '../../db/pnl/periods/write-days.ts'
import { transact, type Transaction } from '../../db/transact.ts'
import { computeWindow } from './compute-window.ts'
import { settleScopes } from './settle-scopes.ts'

/** Books in one transaction. */
const QUIET_BOOKS = 100

interface Input {
  db: Db
  pool: pg.Pool
  books: readonly DueBook[]
  nowMs: number
  onProgress: (instantMs: number) => void
  onFailure: OnFailure
}

export interface RecomputedBooks {
  /** books brought up to date, quiet ones included */
  computed: number
  /** books whose holdings had changed */
  changed: DueBook[]
}

/**
 * Brings books up to the last midnight. Those whose holdings are the same as before are done together. The others,
 * and then each due fold once, have a transaction of their own.
 */
export async function recomputeBooks(input: Input): Promise<RecomputedBooks> {
  const { db, pool, books, nowMs, onProgress, onFailure } = input
  const behind = books.filter(({ isBehind }) => isBehind)
  const { quiet, changed } = await valueQuiet(input, behind)
  const recomputed = await attemptAll(changed, {
    nameOf: ({ id }) => `book ${id}`,
    work: (book) => recomputeBook({ pool, book, nowMs, onProgress }),
    onFailure,
  })
  await attemptAll(await dirtyFolds(db, { bookIds: books.map(({ id }) => id) }), {
    nameOf: (foldId) => `fold ${foldId}`,
    work: (foldId) => foldScope({ pool, foldId, nowMs, onProgress }),
    onFailure,
  })
  return { computed: quiet + recomputed, changed }
}

/** Returns the number of books that needed only new values, and the books that need more. */
async function valueQuiet(
  { pool, nowMs, onProgress, onFailure }: Input,
  books: readonly DueBook[],
): Promise<{ quiet: number; changed: DueBook[] }> {
  const toMs = startOfPeriod('daily', nowMs)
  const quiet = new Set<string>()
  const failed = new Set<string>()
  for (let index = 0; index < books.length; index += QUIET_BOOKS)
    await inHalves(
      books.slice(index, index + QUIET_BOOKS).map(({ id }) => id),
      async (bookIds) => {
        for (const id of await valueQuietBooks({ pool, bookIds, toMs })) quiet.add(id)
        onProgress(nowMs)
      },
      (id, error) => {
        failed.add(id)
        onFailure(`book ${id}`, error)
      },
    )
  return { quiet: quiet.size, changed: books.filter(({ id }) => !quiet.has(id) && !failed.has(id)) }
}

/** Bounds the memory: legs and prices are loaded for one window at a time. */
const WINDOW_DAYS = 32

export interface RecomputeResult {
  /** start of the first recomputed day; null when the book has no history */
  fromMs: number | null
  days: number
  revision: string
}

/**
 * Recomputes the P&L days of a book up to the last midnight, from the day of its earliest change on. Running
 * it twice, or from an earlier day, gives the same rows to the last digit. One transaction, which locks the
 * row of `pl_states`: a concurrent change marks the book dirty again after the commit; for a price change see
 * noteRuns.
 */
export function recomputeBook({
  pool,
  ...input
}: RecomputeInput & { pool: pg.Pool }): Promise<RecomputeResult> {
  return transact(pool, (transaction) => recomputeBookIn(transaction, input))
}

interface RecomputeInput {
  book: BookKey
  nowMs: number
  onProgress?: (dayMs: number) => void
}

/** Does the same in the caller's transaction, which the caller may roll back. */
export async function recomputeBookIn(
  { db, client }: Transaction,
  input: RecomputeInput,
): Promise<RecomputeResult> {
  const book = await openBook(db, input.book)
  const source = legSource(book)
  await source.lock(db)
  const state = await lockState(db, book.id)
  const toMs = startOfPeriod('daily', input.nowMs)
  const { rows: first } = await source.first.execute(db)
  const historyMs = first[0]?.at.getTime() ?? null
  // A price at midnight also values the day that ends there, so a change at midnight starts with that day.
  const dirtyMs = state.dirtyFromMs === null ? Infinity : state.dirtyFromMs - 1
  const changedMs = Math.min(dirtyMs, state.computedToMs ?? -Infinity)
  const changedDayMs = changedMs === -Infinity ? -Infinity : startOfPeriod('daily', Math.min(changedMs, toMs))
  const scope = { client, bookId: book.id }

  if (state.repriced) await source.reprice(db, state.repriced)
  const startMs = historyMs === null ? null : Math.max(startOfPeriod('daily', historyMs), changedDayMs)
  const afterMs = changedDayMs === -Infinity ? 0 : changedDayMs
  await deleteDaysOutside({ ...scope, afterMs, fromMs: startMs ?? toMs, toMs })
  if (startMs !== null) {
    const holdings = await openingHoldings({ db, bookId: book.id, atMs: startMs })
    const firsts: FirstPrices = { fromMs: startMs, byCoin: new Map() }
    for (let fromMs = startMs; fromMs < toMs; fromMs += WINDOW_DAYS * DAY_MS) {
      const endMs = Math.min(fromMs + WINDOW_DAYS * DAY_MS, toMs)
      const days = await computeWindow({ db, book, fromMs, toMs: endMs, holdings, firsts })
      await writeDays({ ...scope, afterMs: fromMs, days })
      input.onProgress?.(endMs)
    }
  }
  const revision = (await endRuns(db, { bookIds: [book.id], toMs })).get(book.id)!
  await noteRuns(db, { bookIds: [book.id], begunWith: state.begunWith })
  await settleScopes({ db, scopes: await lockScopes(db, { bookId: book.id }), fromMs: changedMs })
  const days = startMs === null ? 0 : Math.max(0, (toMs - startMs) / DAY_MS)
  return { fromMs: startMs, days, revision }
}
