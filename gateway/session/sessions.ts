import type { IncomingHttpHeaders } from 'node:http'
import type { Revocations } from '../../db/payments/revoked-sessions.ts'
import { type CookieSecrets, openSession, SESSION_S, type Session, sessionCookie } from './session-cookie.ts'

/** What a session opens: every call at its price or below, its route, or the very call that was paid. */
export type SessionScope = 'tier' | 'route' | 'url'

/** A call that a session may open. */
export interface Wanted {
  route: string
  resourceKey: Buffer
  units: bigint
}

export interface Sessions {
  /** Set-Cookie of what was bought; null when its hour is over. The same payment has the same session. */
  issue: (bought: Wanted & { payer: string; transaction: string; settledAt: Date }) => string | null
  /** The session of a request, valid and not revoked. */
  open: (headers: IncomingHttpHeaders) => Promise<Session | null>
  opens: (session: Session, wanted: Wanted) => boolean
  /** Takes one call from the rate of a session; seconds to wait when there is none left. */
  waitS: (session: Session) => number
}

const MAX_TRACKED = 100_000
const BURST_S = 2

export function createSessions(deps: {
  secrets: CookieSecrets
  publicUrl: string
  scope: SessionScope
  /** Calls of one session, on this process. */
  requestsPerSecond: number
  revocations: Revocations
  now: () => Date
  monotonicMs: () => number
}): Sessions {
  const { secrets, publicUrl: audience, scope, revocations } = deps
  const nowS = () => Math.floor(deps.now().getTime() / 1_000)
  const gapMs = 1_000 / deps.requestsPerSecond
  // When the next call of a session would be on time (GCRA).
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
