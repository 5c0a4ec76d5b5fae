import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../connect.ts'

/** How old the list may be: with the time of its query, the longest that a revoked session goes on working. */
const FRESH_MS = 2_000

/** A session by the transaction that paid for it and by who paid; Unix seconds. */
interface Issued {
  jti: string
  sub: string
  iat: number
}

export interface Revocations {
  /** Throws when the list cannot be had: without it no session is good. */
  has: (session: Issued) => Promise<boolean>
}

/** What was revoked, read anew every two seconds while sessions are used. */
export function createRevocations({
  db,
  monotonicMs,
}: {
  db: ReadonlyDb
  monotonicMs: () => number
}): Revocations {
  let list: Promise<Map<string, number>> = Promise.resolve(new Map())
  let readMs = -Infinity

  async function read(): Promise<Map<string, number>> {
    const rows = await db.selectFrom('revoked_sessions').select(['subject', 'revoked_at']).execute()
    return new Map(rows.map(({ subject, revoked_at }) => [subject, revoked_at.getTime() / 1_000]))
  }

  return {
    async has({ jti, sub, iat }) {
      if (monotonicMs() - readMs >= FRESH_MS) {
        readMs = monotonicMs()
        list = read()
        list.catch(() => (readMs = -Infinity))
      }
      const revoked = await list
      return [jti, sub].some((subject) => (revoked.get(subject) ?? -Infinity) >= iat)
    },
  }
}

/**
 * Ends the sessions that a transaction (its hash) or a payer (an address) has paid for until now. Run with the rights of
 * the database's owner.
 */
export async function revokeSessions(db: Db, subject: string): Promise<void> {
  // No session lives longer than an hour.
  await sql`delete from revoked_sessions where revoked_at < now() - interval '1 day'`.execute(db)
  await sql`insert into revoked_sessions (subject) values (${subject.toLowerCase()})
    on conflict (subject) do update set revoked_at = now()`.execute(db)
}
