import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { ReadonlyDb } from '../schema.ts'

export interface OperatorAction {
  at: Date
  operator: string
  action: string
  subject: string
}

/** What operators did, the newest first. */
export const readOperatorActions = (
  db: ReadonlyDb,
  { limit }: { limit: number },
): Promise<OperatorAction[]> =>
  readSql(
    db,
    sql<OperatorAction>`
      select at, operator, action, subject from operations.operator_actions order by at desc, id desc limit ${limit}`,
  )
