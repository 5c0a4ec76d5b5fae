import type pg from 'pg'
import { schemaVersion } from './migration-names.ts'

/**
 * Whether a database answers and has the schema that these sources are made for, or a newer one: rejects with what is
 * wrong. `pool` connects as `api` or `ingest`.
 */
export function createSchemaCheck(pool: pg.Pool): () => Promise<void> {
  const wanted = schemaVersion()
  return async () => {
    const { rowCount } = await pool.query('select from kysely_migration where name = $1', [wanted])
    if (rowCount === 0) throw new Error(`migration ${wanted} was not applied`)
  }
}

/** Whether the database answers the role of a pool. */
export const createAnswerCheck = (pool: pg.Pool) => async (): Promise<void> => {
  await pool.query('select 1')
}
