import { sql } from 'kysely'
import type { Db } from '../../schema.ts'
import type { PlState } from '../tables.ts'

/** Legs from an instant up to another one, which is a text because it may be infinity. */
export interface Repriced {
  from: Date
  to: string
}

/** What remains to compute of a book. Its row is locked. */
export interface RunState {
  /** Instant of the earliest change that is not in its days; null: clean. */
  dirtyFromMs: number | null
  computedToMs: number | null
  /** Legs whose stored prices may be older than those in force; null: none. */
  repriced: Repriced | null
  /** Database snapshot at the start of the run. */
  begunWith: string
}

export async function lockState(db: Db, bookId: string): Promise<RunState> {
  // The update changes nothing; it locks an existing row.
  type Row = Pick<PlState, 'dirty_from' | 'computed_to' | 'repriced_from'> & {
    repriced_to: string
    begun_with: string
  }
  const { rows } = await sql<Row>`
    insert into pl_states (book_id) values (${bookId})
    on conflict (book_id) do update set revision = pl_states.revision
    returning dirty_from, computed_to, repriced_from, repriced_to::text, pg_current_snapshot()::text as begun_with`.execute(
    db,
  )
  const { dirty_from, computed_to, repriced_from, repriced_to, begun_with: begunWith } = rows[0]!
  return {
    dirtyFromMs: dirty_from?.getTime() ?? null,
    computedToMs: computed_to?.getTime() ?? null,
    repriced: repriced_from && { from: repriced_from, to: repriced_to },
    begunWith,
  }
}

/** Records that books are computed up to `toMs`. Returns the new revision of each. */
export async function endRuns(
  db: Db,
  { bookIds, toMs }: { bookIds: readonly string[]; toMs: number },
): Promise<Map<string, string>> {
  const { rows } = await sql<{ book_id: string; revision: string }>`
    update pl_states set dirty_from = null, repriced_from = null, repriced_to = '-infinity', legs_changed = false,
      computed_to = ${new Date(toMs)}, revision = revision + 1
    where book_id = any(${[...bookIds]}::bigint[]) returning book_id, revision`.execute(db)
  return new Map(rows.map((row) => [row.book_id, row.revision]))
}

/** Locks the days of a book against changes until the transaction ends. False: the book is dirty. */
export async function holdDays(db: Db, bookId: string): Promise<boolean> {
  const { rows } = await sql`
    select from pl_states where book_id = ${bookId} and dirty_from is null for share`.execute(db)
  return rows.length > 0
}
