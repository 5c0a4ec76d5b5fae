import { hash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { sql } from 'kysely'
import type { Db } from '../schema.ts'

/** Only this hash is stored, so nobody who reads the table can make a cookie from it. */
export const hashSession = (session: string): Buffer => hash('sha256', session, 'buffer')

/** Starts a session and returns the text for its cookie. Connect as role `account`. */
export async function beginSession(
  pool: pg.Pool,
  { issuer, subject, seconds }: { issuer: string; subject: string; seconds: number },
): Promise<string> {
  const session = randomBytes(32).toString('base64url')
  await pool.query('select begin_page_session($1, $2, $3, $4)', [
    hashSession(session),
    issuer,
    subject,
    seconds,
  ])
  return session
}

/** Ends a session in all processes from their next request on. Connect as role `account`. */
export async function endSession(pool: pg.Pool, session: string): Promise<void> {
  await pool.query('select end_page_session($1)', [hashSession(session)])
}

/** Deletes all sessions of a subject and returns their number. Needs the rights of the database owner. */
export async function endSessionsOf(
  db: Db,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<number> {
  const { rows } = await sql`delete from page_sessions
    where issuer = ${issuer} and subject = ${subject} and expires_at > now() returning 1`.execute(db)
  return rows.length
}
