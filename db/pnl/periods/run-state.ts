import { sql } from 'kysely'
import type { Db } from '../../schema.ts'
import type { PlState } from '../tables.ts'

/** What remains to compute of a book. Its row is locked. */
export interface RunState {
  /** Instant of the earliest change that is not in its days; null: clean. */
  dirtyFromMs: number | null
  computedToMs: number | null
  /** Earliest price change that is not in the prices stored with its legs; null: none. */
  repricedFrom: Date | null
  /** Database snapshot at the start of the run. */
  begunWith: string
}

export async function lockState(db: Db, bookId: string): Promise<RunState> {
  // The update changes nothing; it locks an existing row.
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

/** Records that a book is computed up to `toMs`. Returns its new revision. */
export async function endRun(db: Db, { bookId, toMs }: { bookId: string; toMs: number }): Promise<string> {
  const { rows } = await sql<{ revision: string }>`
    update pl_states set dirty_from = null, repriced_from = null, legs_changed = false,
      computed_to = ${new Date(toMs)}, revision = revision + 1
    where book_id = ${bookId} returning revision`.execute(db)
  return rows[0]!.revision
}

/** Locks the days of a book against changes until the transaction ends. False: the book is dirty. */
export async function holdDays(db: Db, bookId: string): Promise<boolean> {
  const { rows } = await sql`
    select from pl_states where book_id = ${bookId} and dirty_from is null for share`.execute(db)
  return rows.length > 0
}
