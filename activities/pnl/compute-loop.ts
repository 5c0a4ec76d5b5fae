import type pg from 'pg'
import type { Logger } from 'pino'
import { changedBooks } from '../../db/pnl/periods/due-books.ts'
import type { Db } from '../../db/schema.ts'
import { HOUR_MS } from '../../db/values/periods.ts'
import { type LoopDeps, pause } from '../pause.ts'
import { foldChanges } from './fold-scope.ts'
import { recomputeBook } from './recompute-books.ts'

const BOOKS_AT_ONCE = 100
/** Soon after a changed book the next one is likely. */
const BUSY_PAUSE_MS = 250
const BUSY_MS = 5_000
const IDLE_PAUSE_MS = 1_000
/** The schedule of P&L tries a book that fails again as well. */
const FAILED_PAUSE_MS = 60_000

export interface PnlDeps extends LoopDeps {
  db: Db
  pool: pg.Pool
  now: () => Date
  log?: Logger
}

/** Computes the books of followed wallets as their transactions come, for an hour or until the worker ends. */
export async function computeLoop(deps: PnlDeps): Promise<void> {
  const { ending } = deps
  const endMs = performance.now() + HOUR_MS
  const failed = new Map<string, number>()
  let computedMs = -Infinity
  while (!ending?.aborted && performance.now() < endMs) {
    if ((await computeChanged(deps, failed)) > 0) {
      computedMs = performance.now()
      continue
    }
    const isBusy = performance.now() - computedMs < BUSY_MS
    await pause(deps, isBusy ? BUSY_PAUSE_MS : IDLE_PAUSE_MS)
  }
}

/** Computes books that changed. Returns how many it tried. `failed`: until when books are left alone, by id. */
export async function computeChanged(
  { db, pool, now, log, ending }: PnlDeps,
  failed: Map<string, number>,
): Promise<number> {
  for (const [id, untilMs] of failed) if (untilMs <= performance.now()) failed.delete(id)
  const books = await changedBooks(db, { limit: BOOKS_AT_ONCE, except: [...failed.keys()] })
  for (const { id, ...book } of books) {
    if (ending?.aborted) break
    const nowMs = now().getTime()
    try {
      await recomputeBook({ pool, book, nowMs })
      await foldChanges({ db, pool, change: { bookId: id }, nowMs })
    } catch (error) {
      log?.error({ ...book, err: error }, 'P&L of a wallet cannot be computed')
      failed.set(id, performance.now() + FAILED_PAUSE_MS)
    }
  }
  return books.length
}
