import { sql } from 'kysely'
import type { Db } from '../../connect.ts'
import type { PlState } from '../tables.ts'

/** What is left to compute of a book, whose row is locked from now on. */
export interface RunState {
  /** Of the earliest change that is not in its days; null: there is none. */
  dirtyFromMs: number | null
  computedToMs: number | null
  /** Earliest price change that the prices kept with its legs do not have. */
  repricedFrom: Date | null
  /** What was committed before. */
  begunWith: string
}

export async function lockState(db: Db, bookId: string): Promise<RunState> {
  // The update changes nothing and takes the lock of a row that was there already.
  type Row = Pick<PlState, 'dirty_from' | 'computed_to' | 'repriced_from'> & { begun_with: string }
  const { rows } = await sql<Row>`
    insert into pl_states (book_id) values (${bookId})
    on conflict (book_id) do update set revision = pl_states.revision
    returning dirty_from, computed_to, repriced_from, pg_current_snapshot()::text as begun_with`.execute(db)
  const { dirty_from, computed_to, repriced_from: repricedFrom, begun_with: begunWith } = rows[0]!
  return {
    dirtyFromMs: dirty_from?.getTime() ?? null,
    computedToMs: computed_to?.getTime() ?? null,
    repricedFrom,
    begunWith,
  }
}

/** The days of a book are computed up to an instant. Returns the revision that they have. */
export async function endRun(db: Db, { bookId, toMs }: { bookId: string; toMs: number }): Promise<string> {
  const { rows } = await sql<{ revision: string }>`
    update pl_states set dirty_from = null, repriced_from = null, computed_to = ${new Date(toMs)}, revision = revision + 1
    where book_id = ${bookId} returning revision`.execute(db)
  return rows[0]!.revision
}

/** Holds the days of a book as they are until the end of the transaction. False: they are to be computed again. */
export async function holdDays(db: Db, bookId: string): Promise<boolean> {
  const { rows } = await sql`
    select from pl_states where book_id = ${bookId} and dirty_from is null for share`.execute(db)
  return rows.length > 0
}
