import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../schema.ts'

/** Maximum age of the list. A revoked session works at most this long plus the time of the query. */
const FRESH_MS = 2_000

/** A session: transaction (`jti`), payer (`sub`) and time of issue in Unix seconds (`iat`). */
interface Issued {
  jti: string
  sub: string
  iat: number
}

export interface Revocations {
  /** Throws if the list cannot be read, because no session is valid without the check. */
  has: (session: Issued) => Promise<boolean>
}

/** Checks sessions against the list of revocations, which is read again every 2 s while sessions are used. */
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
 * Ends the existing sessions of a transaction (hash) or a payer (address). Needs the rights of the database
 * owner.
 */
export async function revokeSessions(db: Db, subject: string): Promise<void> {
  // Sessions last an hour, so older revocations have no effect.
  await sql`delete from revoked_sessions where revoked_at < now() - interval '1 day'`.execute(db)
  await sql`insert into revoked_sessions (subject) values (${subject.toLowerCase()})
    on conflict (subject) do update set revoked_at = now()`.execute(db)
}
