import type pg from 'pg'
import { type BookKey, openBook } from '../../db/pnl/books.ts'
import { legSource } from '../../db/pnl/legs/leg-source.ts'
import { openingHoldings } from '../../db/pnl/periods/opening-balances.ts'
import type { FirstPrices } from '../../db/pnl/legs/measured-legs.ts'
import { noteRuns } from '../../db/pnl/valuation/price-changes.ts'
import { endRuns, lockState } from '../../db/pnl/periods/run-state.ts'
import { lockScopes } from '../../db/pnl/scopes.ts'
import { deleteDaysOutside, writeDays } from '../../db/pnl/periods/write-days.ts'
import { transact, type Transaction } from '../../db/transact.ts'
import { DAY_MS, startOfPeriod } from '../../db/values/periods.ts'
import { computeWindow } from './compute-window.ts'
import { settleScopes } from './settle-scopes.ts'

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
