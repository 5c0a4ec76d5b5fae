import { SQL, sqlFiles } from './sql-files.ts'

/** The migrations of a folder, of all areas, in order. Default: those of this release */
export const migrationNames = (folder = SQL): string[] =>
  sqlFiles('migrations', folder).map(({ name }) => name)

/** Name of the last migration: the schema version of this code. */
export const schemaVersion = (): string => migrationNames().at(-1)!
