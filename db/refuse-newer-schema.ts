import type pg from 'pg'
import { migrationNames } from './migration-names.ts'
import { sqlStateOf, UNDEFINED_TABLE } from './transact.ts'
import { REPLACED } from './take-over.ts'

/** A newer release has migrated the database. Writes of this release could corrupt its data. */
export class NewerSchemaError extends Error {
  constructor(migration: string) {
    super(
      `The database has migration ${migration}, which this release does not know: a newer release has migrated it. ` +
        'Nothing was changed. Start that release or a later one, or restore a backup from before the upgrade: docs/deployment.md#back-up-and-restore.',
    )
    this.name = 'NewerSchemaError'
  }
}

/**
 * Rejects when the database has a migration that is neither in `known` nor replaced. It only reads and works
 * as any role.
 */
export async function refuseNewerSchema(
  pool: Pick<pg.Pool, 'query'>,
  known: readonly string[] = migrationNames(),
): Promise<void> {
  const unknown = await pool
    .query<{ name: string }>('select max(name) as name from kysely_migration where name <> all($1)', [
      [...known, ...REPLACED],
    ])
    .then(({ rows }) => rows[0]?.name)
    .catch((error: unknown) => {
      // A database without any migration counts as empty.
      if (sqlStateOf(error) === UNDEFINED_TABLE) return null
      throw error
    })
  if (unknown) throw new NewerSchemaError(unknown)
}

/**
 * Call at the start of a process: logs that error and exits. If the database does not answer yet, the
 * readiness check reports it. Running processes continue while a newer release migrates: see
 * docs/operator.md.
 */
export async function endOnNewerSchema(
  pool: pg.Pool,
  logger: { fatal: (message: string) => void },
): Promise<void> {
  try {
    await refuseNewerSchema(pool)
  } catch (error) {
    if (!(error instanceof NewerSchemaError)) return
    logger.fatal(error.message)
    process.exit(1)
  }
}
