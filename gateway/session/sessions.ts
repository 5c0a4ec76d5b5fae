import type { IncomingHttpHeaders } from 'node:http'
import type { Revocations } from '../../db/payments/revoked-sessions.ts'
import { type CookieSecrets, openSession, SESSION_S, type Session, sessionCookie } from './session-cookie.ts'

/** Calls that a session covers: all at its price or below (`tier`), its route, or only the paid URL. */
export type SessionScope = 'tier' | 'route' | 'url'

/** A call that is checked against a session. */
export interface Wanted {
  route: string
  resourceKey: Buffer
  units: bigint
}

export interface Sessions {
  /**
   * Returns Set-Cookie for a payment; null: its hour is over. The same payment always gets the same session.
   */
  issue: (bought: Wanted & { payer: string; transaction: string; settledAt: Date }) => string | null
  /** Returns the session of a request; null: none, invalid or revoked. */
  open: (headers: IncomingHttpHeaders) => Promise<Session | null>
  opens: (session: Session, wanted: Wanted) => boolean
  /** Takes one call from the rate limit of a session. Returns the seconds to wait; 0: none. */
  waitS: (session: Session) => number
}

const MAX_TRACKED = 100_000
const BURST_S = 2

export function createSessions(deps: {
  secrets: CookieSecrets
  publicUrl: string
  scope: SessionScope
  /** Rate limit of one session in this process. */
  requestsPerSecond: number
  revocations: Revocations
  now: () => Date
  monotonicMs: () => number
}): Sessions {
  const { secrets, publicUrl: audience, scope, revocations } = deps
  const nowS = () => Math.floor(deps.now().getTime() / 1_000)
  const gapMs = 1_000 / deps.requestsPerSecond
  // GCRA: the time at which the next call of each session is due.
  const dueMs = new Map<string, number>()
  return {
    issue({ payer, transaction, settledAt, units, route, resourceKey }) {
      const iat = Math.floor(settledAt.getTime() / 1_000)
      const session: Session = {
        jti: transaction,
        sub: payer,
        max: units.toString(),
        route,
        resource: resourceKey.toString('base64url'),
        iat,
        exp: iat + SESSION_S,
      }
      return session.exp > nowS() ? sessionCookie({ session, secrets, audience, nowS: nowS() }) : null
    },
    async open({ cookie: header }) {
      if (header === undefined) return null
      const session = openSession({ header, secrets, audience, nowS: nowS() })
      return session && !(await revocations.has(session)) ? session : null
    },
    opens(session, { route, resourceKey, units }) {
      if (units > BigInt(session.max)) return false
      if (scope === 'route') return session.route === route
      return scope === 'tier' || session.resource === resourceKey.toString('base64url')
    },
    waitS({ jti }) {
      const nowMs = deps.monotonicMs()
      const due = Math.max(dueMs.get(jti) ?? 0, nowMs)
      const early = due - nowMs - BURST_S * 1_000 + gapMs
      if (early > 0) return Math.ceil(early / 1_000)
      dueMs.delete(jti)
      dueMs.set(jti, due + gapMs)
      if (dueMs.size > MAX_TRACKED) dueMs.delete(dueMs.keys().next().value!)
      return 0
    },
  }
}
