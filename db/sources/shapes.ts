import type pg from 'pg'
import type { Db } from '../schema.ts'
import { transact } from '../transact.ts'

/** What is known of the answers to one operation, as activities/drift/look.ts makes it. */
export interface StoredShape {
  shape: unknown
  learnt: number
  changes: readonly unknown[]
}

/** Operations of one source that are known at most. Others are not looked at. */
const MOST_OPERATIONS = 60

/**
 * Changes what is known of an operation, while nobody else can. `change` gets null if nothing is known, and returns
 * null to leave it. `answer`: a recording to keep in place of an earlier one; null: keep none; absent: keep that one.
 */
export async function changeShape<T extends StoredShape>(
  pool: pg.Pool,
  { source, operation }: { source: string; operation: string },
  change: (known: T | null) => { known: T; answer?: object | null } | null,
): Promise<void> {
  await transact(pool, async ({ client }) => {
    const { rows } = await client.query<T>(
      'select shape, learnt, changes from source_shapes where source = $1 and operation = $2 for update',
      [source, operation],
    )
    const changed = change(rows[0] ?? null)
    if (!changed) return
    const { known, answer } = changed
    await client.query(
      `insert into source_shapes as stored (source, operation, shape, learnt, changes, answer)
       select $1, $2, $3, $4, $5, $6::jsonb
       where exists (select from source_shapes where source = $1 and operation = $2)
         or (select count(*) from source_shapes where source = $1) < ${MOST_OPERATIONS}
       on conflict (source, operation) do update
         set shape = excluded.shape, learnt = excluded.learnt, changes = excluded.changes,
           answer = case when $7 then stored.answer else excluded.answer end, changed_at = now()`,
      [
        source,
        operation,
        JSON.stringify(known.shape),
        known.learnt,
        JSON.stringify(known.changes),
        answer ? JSON.stringify(answer) : null,
        answer === undefined,
      ],
    )
  })
}

/** A recording of an answer that showed a change. */
export interface KeptAnswer {
  operation: string
  answer: unknown
}

/** Reads the answers of a source that were kept. */
export async function readKeptAnswers(db: Db, source: string): Promise<KeptAnswer[]> {
  const rows = await db
    .selectFrom('source_shapes')
    .select(['operation', 'answer'])
    .where('source', '=', source)
    .where('answer', 'is not', null)
    .orderBy('operation')
    .execute()
  return rows
}

/** Operations of a source that have changes. */
export async function changedOperations(db: Db, source: string): Promise<string[]> {
  const rows = await db
    .selectFrom('source_shapes')
    .select('operation')
    .where('source', '=', source)
    .where('changes', '!=', '[]')
    .execute()
  return rows.map(({ operation }) => operation)
}
