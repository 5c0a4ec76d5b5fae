import type pg from 'pg'
import { dirtyFolds } from '../../db/pnl/lots/folds.ts'
import type { DueBook } from '../../db/pnl/periods/due-books.ts'
import type { Db } from '../../db/schema.ts'
import { startOfPeriod } from '../../db/values/periods.ts'
import { attemptAll, inHalves, type OnFailure } from '../many-items.ts'
import { foldScope } from './fold-scope.ts'
import { recomputeBook } from './recompute-book.ts'
import { valueQuietBooks } from './value-quiet-books.ts'

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
