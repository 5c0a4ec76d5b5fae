import type { FastifyReply } from 'fastify'
import { notFound } from '../../api/errors.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { endSession, readVisitor } from '../../db/console/operator.ts'
import { sendErrorToReader } from '../parts/error-page.ts'
import { html } from '../parts/html.ts'
import type { SealedCookies } from '../parts/sealed-cookies.ts'
import { sendPage } from '../parts/send-page.ts'
import { createVisits, navigation } from '../parts/visit.ts'

const SECTIONS = [
  ['/console', 'Overview'],
  ['/console/incidents', 'Incidents'],
  ['/console/schedules', 'Schedules'],
  ['/console/workflows', 'Workflows'],
  ['/console/syncs', 'Syncs'],
  ['/console/backfill', 'Back-fill'],
  ['/console/quarantine', 'Quarantine'],
  ['/console/money', 'Money'],
  ['/console/payments', 'Payments'],
  ['/console/accounts', 'Accounts'],
  ['/console/operators', 'Operators'],
  ['/console/system', 'System'],
] as const

export const LIVE_SCRIPT = '/console/live.js'

/** Returns a function that makes route handlers for operators. Other signed-in users get 404. */
export function createConsoleVisits(deps: {
  db: ReadonlyDb
  cookies: SealedCookies
  issuer: string
  /** The issuer is the embedded one: operators manage its users. */
  isEmbedded: boolean
  hasLogs: boolean
}) {
  const { db, cookies, issuer, isEmbedded, hasLogs } = deps
  const sections = [
    ...SECTIONS,
    ...(hasLogs ? [['/console/logs', 'Logs'] as const] : []),
    ...(isEmbedded ? [['/console/users', 'Users'] as const] : []),
  ]
  return createVisits<{ subject: string }>({
    cookies,
    home: '/console',
    askToSignIn,
    async recognise(session) {
      const visitor = await readVisitor(db, { issuer, session })
      return (
        visitor && { subject: visitor.subject, who: visitor.isOperator ? { subject: visitor.subject } : null }
      )
    },
    endSession: (session) => endSession(db, session),
    refuse: (_subject, request, reply) => sendErrorToReader(notFound(), request, reply),
    frame: ({ path, who, csrf }) => ({
      script: LIVE_SCRIPT,
      header: navigation({
        label: 'Console',
        sections,
        path,
        signOut: html`<form method="post" action="/console/sign-out">
          ${csrf}<button class="plain">Sign out ${who.subject}</button>
        </form>`,
      }),
    }),
  })
}

function askToSignIn(reply: FastifyReply): FastifyReply {
  const body = html`<p>For the operators of this installation.</p>
    <p><a class="button" href="/account/sign-in?to=console&amp;prompt=login">Sign in</a></p>`
  return sendPage(reply, { status: 401, title: 'Console', body })
}
