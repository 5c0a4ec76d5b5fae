import type pg from 'pg'
import type { Db } from '../../db/schema.ts'
import { type FirstPrices, learnFirstPrices } from '../../db/pnl/legs/measured-legs.ts'
import type { Holdings } from '../../db/pnl/legs/value-unpriced.ts'
import { openingsOf } from '../../db/pnl/periods/opening-balances.ts'
import {
  lockQuietBooks,
  movingBooks,
  type QuietBook,
  type QuietDay,
  writeQuietDays,
} from '../../db/pnl/periods/quiet-books.ts'
import { endRuns } from '../../db/pnl/periods/run-state.ts'
import { noteRuns } from '../../db/pnl/valuation/price-changes.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS, startOfPeriod } from '../../db/values/periods.ts'
import { pricesToValue, valueAt } from './value-at.ts'

/** Bounds the memory: changes that reach further back are computed book by book. */
const MOST_DAYS = 366

/**
 * Brings the days of many books up to the midnight `toMs`, in one transaction and a few statements, if only prices
 * changed since they were computed, or nothing: these have the same holdings on all days, no flows, and the same
 * coin rows. Gives the same rows as recomputeBook, to the last digit. Returns the ids of these books; the others are
 * left as they are.
 */
export async function valueQuietBooks(input: {
  pool: pg.Pool
  bookIds: readonly string[]
  toMs: number
}): Promise<string[]> {
  const { toMs } = input
  return await transact(input.pool, async ({ db }) => {
    const { books, begunWith } = await lockQuietBooks(db, input.bookIds)
    const done: string[] = []
    for (const [fromMs, group] of Map.groupBy(books, (book) => firstChangedDay(book, toMs)))
      if (fromMs >= toMs - MOST_DAYS * DAY_MS)
        done.push(...(await valueGroup({ db, bookIds: group.map(({ bookId }) => bookId), fromMs, toMs })))
    if (done.length === 0) return []
    await endRuns(db, { bookIds: done, toMs })
    await noteRuns(db, { bookIds: done, begunWith })
    return done
  })
}

/** Start of the first day whose closing value may differ; see recomputeBookIn. A clock that went back: never. */
function firstChangedDay({ dirtyFromMs, computedToMs }: QuietBook, toMs: number): number {
  if (computedToMs > toMs) return -Infinity
  return startOfPeriod('daily', Math.min(computedToMs, dirtyFromMs === null ? Infinity : dirtyFromMs - 1))
}

async function valueGroup(input: {
  db: Db
  bookIds: readonly string[]
  fromMs: number
  toMs: number
}): Promise<string[]> {
  const { db, fromMs, toMs } = input
  // After the lock, so that it sees the legs of all transactions that held the lock before.
  const moving = await movingBooks(db, { bookIds: input.bookIds, from: new Date(fromMs) })
  const still = input.bookIds.filter((id) => !moving.has(id))
  const openings = await openingsOf({ db, bookIds: still, atMs: fromMs })
  const firsts: FirstPrices = { fromMs, byCoin: new Map() }
  const coinIds = new Set([...openings.values()].flatMap(({ balances }) => [...balances.keys()]))
  await learnFirstPrices(db, firsts, coinIds)
  const quiet = still.filter((id) => !hasFirstPrice(openings.get(id), firsts))
  const prices = await pricesToValue({ db, coinIds, firsts, afterMs: fromMs, toMs })
  const days = quiet.flatMap((bookId) => {
    const opening = openings.get(bookId)
    // A book without history has no days.
    if (!opening) return []
    return Array.from({ length: (toMs - fromMs) / DAY_MS }, (_, index): QuietDay => ({
      bookId,
      atMs: fromMs + (index + 1) * DAY_MS,
      ...valueAt(opening, { prices, index }),
    }))
  })
  await writeQuietDays(db, days)
  return quiet
}

/** What is held of a coin when it gets its first price is a flow, and a cost. */
function hasFirstPrice(opening: Holdings | undefined, { fromMs, byCoin }: FirstPrices): boolean {
  return [...(opening?.balances.keys() ?? [])].some((coinId) => (byCoin.get(coinId)?.atMs ?? 0) > fromMs)
}
