import { hash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/** What is stored of a session: whoever reads the table can make no cookie of it. */
export const hashSession = (session: string): Buffer => hash('sha256', session, 'buffer')

/** The text that its cookie holds. As role `account`. */
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

/** The next request with it, at any process, has no session. As role `account`. */
export async function endSession(pool: pg.Pool, session: string): Promise<void> {
  await pool.query('select end_page_session($1)', [hashSession(session)])
}

/** Ends all that somebody has; answers how many there were. With the rights of the database's owner. */
export async function endSessionsOf(
  db: Db,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<number> {
  const { rows } = await sql`delete from page_sessions
    where issuer = ${issuer} and subject = ${subject} and expires_at > now() returning 1`.execute(db)
  return rows.length
}
