import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { ApiError } from '../../api/errors.ts'
import { type Form, readForm } from './form.ts'
import { html, type Html } from './html.ts'
import type { PageContent } from './page.ts'
import type { SealedCookie, SealedCookies } from './sealed-cookies.ts'
import { sendPage } from './send-page.ts'

/** Names a session that the database keeps: one for all pages. */
export const SESSION: SealedCookie = { name: 'sluice_session', path: '/', seconds: 28_800 }

export interface Flash {
  message: string
  /** A secret that cannot be had again. */
  secret?: string
}

/** One request of somebody who has signed in. */
export interface Visit {
  request: FastifyRequest
  form: Form
  /** For every form of a page. */
  csrf: Html
  /** What the request before has left to be shown; it is gone then. */
  flash: () => Promise<Html | false>
  /** Sends a page. */
  show: (content: { title: string; body: Html }) => void
  /** Sends the browser on, after something was done. */
  redirect: (path: string, flash: Flash) => Promise<void>
  signOut: (path: string) => Promise<void>
}

export interface VisitDeps<Who> {
  cookies: SealedCookies
  /** Where the pages are: what is shown once is shown there. */
  home: string
  askToSignIn: (reply: FastifyReply) => FastifyReply
  /** Whose session it is, and who that is to these pages; null: it has ended. */
  recognise: (session: string) => Promise<{ subject: string; who: Who | null } | null>
  /** Copies of its cookie open nothing any more. */
  endSession: (session: string) => Promise<void>
  /** Answers somebody who is nobody to them. */
  refuse: (subject: string, request: FastifyRequest, reply: FastifyReply) => void
  frame: (options: { path: string; who: Who; csrf: Html }) => Pick<PageContent, 'header' | 'script'>
}

/** Makes a route of what may be seen and done by those who are recognised. A form without the session's token is refused. */
export function createVisits<Who extends object>(deps: VisitDeps<Who>) {
  const { cookies, home, askToSignIn, recognise, endSession, refuse, frame } = deps
  const flashed: SealedCookie = { name: 'sluice_flash', path: home, seconds: 120 }
  return (handle: (visit: Visit & Who) => Promise<void>): RouteHandlerMethod =>
    async (request, reply) => {
      const { session, csrf: token } = (await cookies.get(request, SESSION)) ?? {}
      const visitor = session === undefined ? null : await recognise(session)
      if (!visitor) return askToSignIn(reply)
      const { subject, who } = visitor
      if (!who) {
        refuse(subject, request, reply)
        return reply
      }
      const form = readForm(request.method === 'POST' ? request.body : {})
      if (request.method === 'POST' && !isSame(form.text('csrf'), token!))
        throw new ApiError(403, 'This form is too old. Go back, reload the page and try again.')
      const csrf = html`<input type="hidden" name="csrf" value="${token}" />`
      await handle({
        ...who,
        request,
        form,
        csrf,
        async flash() {
          const flash = await cookies.get(request, flashed)
          if (!flash) return false
          cookies.clear(reply, flashed)
          const secret = flash['secret']
          return html`<div class="panel notice" role="status">
            <p>${flash['message']}</p>
            ${secret !== undefined && html`<output>${secret}</output>`}
          </div>`
        },
        show({ title, body }) {
          sendPage(reply, { title, body, ...frame({ path: request.routeOptions.url!, who, csrf }) })
        },
        async redirect(path, flash) {
          await cookies.set(reply, flashed, { ...flash })
          void reply.redirect(path, 303)
        },
        async signOut(path) {
          await endSession(session!)
          cookies.clear(reply, SESSION)
          void reply.redirect(path, 303)
        },
      })
      return reply
    }
}

/** The sections of some pages, the first of which is their home, and the way out. */
export function navigation(options: {
  label: string
  sections: readonly (readonly [href: string, name: string])[]
  /** Of the page that is shown. */
  path: string
  signOut: Html
}): Html {
  const { label, sections, path, signOut } = options
  const home = sections[0]![0]
  const links = sections.map(([href, name]) => {
    const isHere = href === home ? path === href : path.startsWith(href)
    return html`<a href="${href}" ${isHere && html` aria-current="page"`}>${name}</a>`
  })
  return html`<header><nav aria-label="${label}">${links} ${signOut}</nav></header>`
}

const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
