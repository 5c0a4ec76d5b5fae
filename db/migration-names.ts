import { readdirSync } from 'node:fs'

export const MIGRATIONS = new URL('./migrations/', import.meta.url)

/** The migrations of this release in their order; of another folder those that are there. */
export const migrationNames = (folder = MIGRATIONS): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -4))
    .sort()

/** Name of the last migration: the version of the schema that this code goes with. */
export const schemaVersion = (): string => migrationNames().at(-1)!
