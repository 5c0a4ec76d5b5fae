import type pg from 'pg'
import { readCurrentSql, releaseKey } from './current-sql.ts'
import { schemaVersion } from './migration-names.ts'

/**
 * Checks that a database answers and has the schema of this release or a newer one. Rejects with the problem.
 * `pool` connects as `api` or `ingest`.
 */
export function createSchemaCheck(pool: pg.Pool): () => Promise<void> {
  const wanted = schemaVersion()
  const release = readCurrentSql().then(releaseKey)
  // Each check reports its failure. This only prevents an unhandled rejection.
  release.catch(() => {})
  return async () => {
    const { rowCount } = await pool.query('select from kysely_migration where name = $1', [wanted])
    if (rowCount === 0) throw new Error(`migration ${wanted} was not applied`)
    const applied = await pool.query('select from applied_sql where key = $1', [await release])
    if (applied.rowCount === 0) throw new Error('functions and views of this release were not applied')
  }
}

/** Checks that the database answers the role of a pool. */
export const createAnswerCheck = (pool: pg.Pool) => async (): Promise<void> => {
  await pool.query('select 1')
}
