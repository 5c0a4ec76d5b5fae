import type { Generated } from 'kysely'

/** A session of the gateway, or several, that are over before their hour. */
export interface RevokedSession {
  /** hash of the transaction that paid for one, or address of who paid for several; in lower case */
  subject: string
  /** those that were paid for until then */
  revoked_at: Generated<Date>
}

export interface SessionTables {
  revoked_sessions: RevokedSession
}
