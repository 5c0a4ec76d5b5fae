import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type pg from 'pg'
import { ApiError } from '../api/errors.ts'
import { type AccountProfile, readAccount } from '../db/account/read-account.ts'
import { type Form, readForm } from './form.ts'
import { html, type Html } from './page/html.ts'
import type { SealedCookie, SealedCookies } from './sealed-cookies.ts'
import { sendPage } from './send-page.ts'

export const SESSION: SealedCookie = { name: 'sluice_session', path: '/account', seconds: 28_800 }
/** What is shown once, on the next page. */
const FLASH: SealedCookie = { name: 'sluice_flash', path: '/account', seconds: 120 }

const SECTIONS = [
  ['/account', 'Usage'],
  ['/account/keys', 'Keys'],
  ['/account/connections', 'Connections'],
  ['/account/shares', 'Sharing'],
] as const

export interface Flash {
  message: string
  /** A secret that cannot be had again. */
  secret?: string
}

/** One request of somebody who has signed in. */
export interface Visit {
  account: AccountProfile
  request: FastifyRequest
  form: Form
  /** For every form of a page. */
  csrf: Html
  /** What the request before has left to be shown; it is gone then. */
  flash: () => Promise<Html | false>
  /** Sends a page of the account. */
  show: (content: { title: string; body: Html }) => void
  /** Sends the browser on, after something was done. */
  redirect: (path: string, flash: Flash) => Promise<void>
  signOut: (path: string) => void
}

export interface VisitDeps {
  pool: pg.Pool
  cookies: SealedCookies
  issuer: string
}

/** Makes a route of what may be seen and done by its account alone. A form without the session's token is refused. */
export function createVisits({ pool, cookies, issuer }: VisitDeps) {
  return (handle: (visit: Visit) => Promise<void>): RouteHandlerMethod =>
    async (request, reply) => {
      const session = await cookies.get(request, SESSION)
      if (!session) return askToSignIn(reply)
      const account = await readAccount(pool, { issuer, subject: session['subject']! })
      if (!account) return showUnlinked(reply, { issuer, subject: session['subject']! })
      const token = session['csrf']!
      const form = readForm(request.method === 'POST' ? request.body : {})
      if (request.method === 'POST' && !isSame(form.text('csrf'), token))
        throw new ApiError(403, 'This form is too old. Go back, reload the page and try again.')
      const csrf = html`<input type="hidden" name="csrf" value="${token}" />`
      await handle({
        ...{ account, request, form, csrf },
        async flash() {
          const flash = await cookies.get(request, FLASH)
          if (!flash) return false
          cookies.clear(reply, FLASH)
          const secret = flash['secret']
          return html`<div class="panel notice" role="status">
            <p>${flash['message']}</p>
            ${secret !== undefined && html`<output>${secret}</output>`}
          </div>`
        },
        show({ title, body }) {
          const header = navigation({ path: request.routeOptions.url!, account, csrf })
          sendPage(reply, { title, header, body })
        },
        async redirect(path, flash) {
          await cookies.set(reply, FLASH, { ...flash })
          void reply.redirect(path, 303)
        },
        signOut(path) {
          cookies.clear(reply, SESSION)
          void reply.redirect(path, 303)
        },
      })
      return reply
    }
}

function navigation(options: { path: string; account: AccountProfile; csrf: Html }): Html {
  const { path, account, csrf } = options
  const links = SECTIONS.map(([href, name]) => {
    const isHere = href === '/account' ? path === href : path.startsWith(href)
    return html`<a href="${href}" ${isHere && html` aria-current="page"`}>${name}</a>`
  })
  return html`<header>
    <nav aria-label="Account">
      ${links}
      <form method="post" action="/account/sign-out">
        ${csrf}<button class="plain">Sign out ${account.name}</button>
      </form>
    </nav>
  </header>`
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

const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
