import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'

/** Who does what to what, for the list of what operators did. */
export interface NotedAction {
  operator: string
  action: string
  subject: string
}

/**
 * Does what no transaction of the database holds, such as to a schedule of Temporal. It is noted before, so that nothing
 * is done without a row; a failure is noted too, and thrown.
 */
export async function doNoted<T>(
  db: Db | ReadonlyDb,
  noted: NotedAction,
  work: () => Promise<T>,
): Promise<T> {
  await note(db, noted)
  try {
    return await work()
  } catch (error) {
    await note(db, { ...noted, action: `${noted.action}: failed` })
    throw error
  }
}

const note = (db: Db | ReadonlyDb, { operator, action, subject }: NotedAction) =>
  readSql(db, sql`select note_operator_action(${operator}, ${action}, ${subject})`)
