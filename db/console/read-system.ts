import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'

type AnyDb = Db | ReadonlyDb

export interface DatabaseState {
  /** Of the server: `18.4`. */
  version: string
  migrations: number
  newestMigration: string
  appliedAt: Date
}

export async function readDatabaseState(db: AnyDb): Promise<DatabaseState> {
  const [row] = await readSql(
    db,
    sql<DatabaseState>`
      select current_setting('server_version') as version, count(*)::int as migrations,
        max(name) as "newestMigration", max(applied_at) as "appliedAt"
      from operations.migrations`,
  )
  return row!
}

export interface BackupState {
  /** The last verified restore; null: none was noted. */
  restored: { backupAt: Date; checkedAt: Date; operator: string; note: string } | null
  /** The log of the database is archived. */
  archives: boolean
  lastArchivedAt: Date | null
  archiveFailures: number
  lastArchiveFailureAt: Date | null
}

export async function readBackupState(db: AnyDb): Promise<BackupState> {
  type Row = Omit<BackupState, 'restored'> & {
    backupAt: Date | null
    checkedAt: Date
    operator: string
    note: string
  }
  const [row] = await readSql(
    db,
    sql<Row>`
      select backup_at as "backupAt", checked_at as "checkedAt", operator, note, archives,
        last_archived_at as "lastArchivedAt", archive_failures::float8 as "archiveFailures",
        last_archive_failure_at as "lastArchiveFailureAt"
      from operations.backups`,
  )
  const { backupAt, checkedAt, operator, note, ...archive } = row!
  return { ...archive, restored: backupAt && { backupAt, checkedAt, operator, note } }
}

/** Notes that a backup of a moment was restored and checked. */
export async function noteRestoreCheck(
  db: AnyDb,
  { backupAt, note, operator }: { backupAt: Date; note: string; operator: string },
): Promise<void> {
  await readSql(db, sql`select note_restore_check(${backupAt}::timestamptz, ${note}, ${operator})`)
}
