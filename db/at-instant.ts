import { sql } from 'kysely'
import type { Db, ReadonlyDb } from './schema.ts'

/**
 * Reads the data as of an instant: inside `read`, table names resolve to the views of the schema `as_of`,
 * which show the rows of that time. null without reading: replaced rows are no longer kept, or were not yet
 * kept, for that instant.
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
      // Transactions open at that instant: their writes were not visible yet.
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
