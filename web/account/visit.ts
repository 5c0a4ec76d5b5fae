import type { FastifyReply } from 'fastify'
import type pg from 'pg'
import { endSession } from '../../db/account/sessions.ts'
import { type AccountProfile, readVisitor } from '../../db/account/read-account.ts'
import { html } from '../parts/html.ts'
import type { SealedCookies } from '../parts/sealed-cookies.ts'
import { sendPage } from '../parts/send-page.ts'
import { createVisits, navigation, type Visit } from '../parts/visit.ts'

const SECTIONS = [
  ['/account', 'Portfolio'],
  ['/account/transactions', 'Transactions'],
  ['/account/connections', 'Connections'],
  ['/account/usage', 'Usage'],
  ['/account/keys', 'Keys'],
  ['/account/agents', 'Agents'],
  ['/account/webhooks', 'Webhooks'],
  ['/account/alerts', 'Alerts'],
  ['/account/shares', 'Sharing'],
  ['/account/kits', 'Connect kits'],
  ['/account/data', 'Your data'],
] as const

/** A visit by a user who is linked to an account. */
export type AccountVisit = Visit & { account: AccountProfile }

/** Returns a function that makes route handlers for users who are linked to an account. */
export function createAccountVisits(deps: {
  pool: pg.Pool
  cookies: SealedCookies
  issuer: string
  /** The issuer is the embedded one, where users set how they sign in. */
  isEmbedded: boolean
}) {
  const { pool, cookies, issuer, isEmbedded } = deps
  return createVisits<{ account: AccountProfile }>({
    cookies,
    home: '/account',
    askToSignIn,
    async recognise(session) {
      const visitor = await readVisitor(pool, { issuer, session })
      return visitor && { subject: visitor.subject, who: visitor.account && { account: visitor.account } }
    },
    endSession: (session) => endSession(pool, session),
    refuse: (subject, _request, reply) => void showUnlinked(reply, { issuer, subject }),
    frame: ({ path, who, csrf }) => ({
      header: navigation({
        label: 'Account',
        sections: isEmbedded ? [...SECTIONS, ['/account/sign-in?to=security', 'Sign-in']] : SECTIONS,
        path,
        signOut: html`<form method="post" action="/account/sign-out">
          ${csrf}<button class="plain">Sign out ${who.account.name}</button>
        </form>`,
      }),
    }),
  })
}

function askToSignIn(reply: FastifyReply): FastifyReply {
  const body = html`<p>Manage the keys, credits, connections and share links of your account.</p>
    <p><a class="button" href="/account/sign-in">Sign in</a></p>`
  return sendPage(reply, { status: 401, title: 'Account', body })
}

function showUnlinked(reply: FastifyReply, { issuer, subject }: { issuer: string; subject: string }) {
  const body = html`<p class="panel problem">You are signed in, but not linked to an account.</p>
    <p>
      Ask the operator to run
      <code>sluice identities link '${subject}' --issuer '${issuer}' --account ACCOUNT</code>.
    </p>
    <p><a class="button" href="/account/sign-in?prompt=login">Sign in as another user</a></p>`
  return sendPage(reply, { status: 403, title: 'Account', body })
}
