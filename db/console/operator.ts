import { sql } from 'kysely'
import type { ReadonlyDb } from '../connect.ts'
import { readSql } from '../read-sql.ts'

/** Whether somebody who has signed in may see the console. */
export async function isOperator(
  db: ReadonlyDb,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<boolean> {
  const [row] = await readSql(db, sql<{ yes: boolean }>`select is_operator(${issuer}, ${subject}) as yes`)
  return row!.yes
}

/** Asks for a refused row to be ingested again. False: it is gone, cannot be, or is being retried. */
export async function retryQuarantined(db: ReadonlyDb, id: string): Promise<boolean> {
  const [row] = await readSql(db, sql<{ asked: boolean }>`select retry_quarantined(${id}::bigint) as asked`)
  return row!.asked
}
