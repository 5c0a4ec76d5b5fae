import type { FastifyReply } from 'fastify'
import type pg from 'pg'
import { endSession } from '../../db/account/sessions.ts'
import { type AccountProfile, readVisitor } from '../../db/account/read-account.ts'
import { html } from '../parts/html.ts'
import type { SealedCookies } from '../parts/sealed-cookies.ts'
import { sendPage } from '../parts/send-page.ts'
import { createVisits, navigation, type Visit } from '../parts/visit.ts'

const SECTIONS = [
  ['/account', 'Usage'],
  ['/account/keys', 'Keys'],
  ['/account/connections', 'Connections'],
  ['/account/shares', 'Sharing'],
] as const

/** A visit of somebody who is linked with an account. */
export type AccountVisit = Visit & { account: AccountProfile }

/** Makes a route of what may be seen and done by its account alone. */
export function createAccountVisits(deps: { pool: pg.Pool; cookies: SealedCookies; issuer: string }) {
  const { pool, cookies, issuer } = deps
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
        sections: SECTIONS,
        path,
        signOut: html`<form method="post" action="/account/sign-out">
          ${csrf}<button class="plain">Sign out ${who.account.name}</button>
        </form>`,
      }),
    }),
  })
}

function askToSignIn(reply: FastifyReply): FastifyReply {
  const body = html`<p>Keys, credits, connections and share links of your account.</p>
    <p><a class="button" href="/account/sign-in">Sign in</a></p>`
  return sendPage(reply, { status: 401, title: 'Account', body })
}

function showUnlinked(reply: FastifyReply, { issuer, subject }: { issuer: string; subject: string }) {
  const body = html`<p class="panel problem">You have signed in, but are linked with no account.</p>
    <p>
      The operator links you with
      <code>sluice identities link '${subject}' --issuer '${issuer}' --account ACCOUNT</code>.
    </p>
    <p><a class="button" href="/account/sign-in?prompt=login">Sign in as somebody else</a></p>`
  return sendPage(reply, { status: 403, title: 'Account', body })
}
