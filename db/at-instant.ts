import { sql } from 'kysely'
import type { Db, ReadonlyDb } from './connect.ts'

/**
 * Reads what was known at an instant: in `read` the names of tables mean what they held then, as far as the views of the
 * schema `as_of` go. Null, and nothing is read: what was replaced since then is not kept any more, or was not yet.
 */
export async function atInstant<T>(
  db: ReadonlyDb,
  { instant, read }: { instant: Date; read: (then: ReadonlyDb) => Promise<T> },
): Promise<T | null> {
  return (db as unknown as Db)
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (then) => {
      // Transactions that had begun by then and were not at their end: nobody saw what they wrote.
      const { rows } = await sql`
        select set_config('sluice.as_of', ${instant}::timestamptz::text, true),
          set_config('sluice.as_of_unseen', coalesce(array_agg(began_at), '{}')::text, true),
          set_config('sluice.as_of_since', least(min(began_at), ${instant})::text, true),
          set_config('search_path', 'as_of, public', true)
        from past.writes
        where visible_at is not null and tstzrange(began_at, visible_at) @> ${instant}::timestamptz
        having (select from_at from past.kept) <= ${instant}`.execute(then)
      return rows.length === 0 ? null : await read(then as unknown as ReadonlyDb)
    })
}
