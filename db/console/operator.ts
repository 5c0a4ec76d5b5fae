import { sql } from 'kysely'
import { hashSession } from '../account/sessions.ts'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

// Role `console` may execute these functions.

/** Reads the user of a session and whether the user is an operator. null: the session has ended. */
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

/** Ends a session in all processes from their next request on. */
export async function endSession(db: ReadonlyDb, session: string): Promise<void> {
  await readSql(db, sql`select end_page_session(${hashSession(session)})`)
}

/** Requests a retry of a quarantined row. False: it is gone, cannot be retried, or is being retried. */
export async function retryQuarantined(
  db: ReadonlyDb,
  { id, operator }: { id: string; operator: string },
): Promise<boolean> {
  const [row] = await readSql(
    db,
    sql<{ asked: boolean }>`select retry_quarantined(${id}::bigint, ${operator}) as asked`,
  )
  return row!.asked
}
