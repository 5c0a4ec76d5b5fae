import { SQL, sqlFiles } from './sql-files.ts'

/** The migrations of this release, of all areas, in their order; of another folder those that are there. */
export const migrationNames = (folder = SQL): string[] =>
  sqlFiles('migrations', folder).map(({ name }) => name)

/** Name of the last migration: the version of the schema that this code goes with. */
export const schemaVersion = (): string => migrationNames().at(-1)!
