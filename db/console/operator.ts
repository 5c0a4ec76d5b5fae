import { sql } from 'kysely'
import { hashSession } from '../account/sessions.ts'
import type { ReadonlyDb } from '../connect.ts'
import { readSql } from '../read-sql.ts'

// Role `console` may execute the functions below.

/** Whose session it is, and whether they may see the console. Null: the session has ended. */
export async function readVisitor(
  db: ReadonlyDb,
  { issuer, session }: { issuer: string; session: string },
): Promise<{ subject: string; isOperator: boolean } | null> {
  const [row] = await readSql(
    db,
    sql<{ subject: string; isOperator: boolean }>`select subject, is_operator as "isOperator"
      from operator_of(${hashSession(session)}, ${issuer})`,
  )
  return row ?? null
}

/** The next request with it, at any process, has no session. */
export async function endSession(db: ReadonlyDb, session: string): Promise<void> {
  await readSql(db, sql`select end_page_session(${hashSession(session)})`)
}

/** Asks for a quarantined row to be ingested again. False: it is gone, cannot be, or is being retried. */
export async function retryQuarantined(db: ReadonlyDb, id: string): Promise<boolean> {
  const [row] = await readSql(db, sql<{ asked: boolean }>`select retry_quarantined(${id}::bigint) as asked`)
  return row!.asked
}
