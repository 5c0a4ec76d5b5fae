import type { Kysely } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'

/**
 * Every table by name. Each `db/<area>/tables.ts` adds its own, so a query depends on the row types that it names alone. A
 * test holds the row types against the migrated database.
 */
export interface Database {}

export type Db = Kysely<Database>
/** Writes do not compile on it. */
export type ReadonlyDb = ReadonlyKysely<Database>
