import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db, ReadonlyDb } from './schema.ts'

/** Runs a query written as SQL on a read-only connection, whose role denies writes. */
export async function readSql<Row>(db: Db | ReadonlyDb, query: RawBuilder<Row>): Promise<Row[]> {
  const { rows } = await query.execute(db as unknown as Db)
  return rows
}

/** A cache key of a query: its text and values. */
export function queryKey(db: ReadonlyDb, query: RawBuilder<unknown>): string {
  const { sql, parameters } = query.compile(db as unknown as Db)
  return JSON.stringify([sql, parameters])
}

/** Marks a statement, so that every connection prepares it once under this name. */
export const prepared = (name: string, text: string) => `/* prepared: ${name} */ ${text}`

/** The same for a query written with `sql`, which begins with it instead of `select`. */
export const preparedSelect = (name: string): RawBuilder<unknown> => sql.raw(prepared(name, 'select'))

/** Runs SQL text without the query builder. `prepared` texts are planned once per connection. */
export async function readText<Row>(
  db: Db | ReadonlyDb,
  statement: { text: string; values: readonly unknown[] },
): Promise<Row[]> {
  const { rows } = await (db as unknown as Db).executeQuery(
    CompiledQuery.raw(statement.text, [...statement.values]) as CompiledQuery<Row>,
  )
  return rows
}
