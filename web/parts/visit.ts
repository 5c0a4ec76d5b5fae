import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { ApiError } from '../../api/errors.ts'
import { type Form, readForm } from './form.ts'
import { html, type Html } from './html.ts'
import { isSame } from './is-same.ts'
import type { PageContent } from './page.ts'
import type { SealedCookie, SealedCookies } from './sealed-cookies.ts'
import { sendPage } from './send-page.ts'

/** Holds the id of a session in the database, shared by all pages. */
export const SESSION: SealedCookie = { name: 'sluice_session', path: '/', seconds: 28_800 }

export interface Flash {
  message: string
  /** A secret that is shown only once. */
  secret?: string
}

/** One request of a signed-in user. */
export interface Visit {
  request: FastifyRequest
  form: Form
  /** Hidden field that every form of a page needs. */
  csrf: Html
  /** Returns the message that the previous request left, and deletes it. */
  flash: () => Promise<Html | false>
  /** Sends a page. `compressed`: see `sendPage`. */
  show: (content: {
    title: string
    body: Html
    status?: number
    script?: string
    compressed?: boolean
  }) => void
  /** Redirects after an action and leaves a message for the next page. */
  redirect: (path: string, flash: Flash) => Promise<void>
  signOut: (path: string) => Promise<void>
  /** Sends a file for the browser to store. */
  download: (file: { name: string; type: string; text: Iterable<string> | AsyncIterable<string> }) => void
}

export interface VisitDeps<Who> {
  cookies: SealedCookies
  /** Path of the pages. One-time messages are shown only there. */
  home: string
  askToSignIn: (reply: FastifyReply) => FastifyReply
  /** Finds the user of a session; null: it ended. `who` null: the user may not see these pages. */
  recognise: (session: string) => Promise<{ subject: string; who: Who | null } | null>
  /** Ends the session, so that copies of its cookie stop working. */
  endSession: (session: string) => Promise<void>
  /** Answers a signed-in user who may not see these pages. */
  refuse: (subject: string, request: FastifyRequest, reply: FastifyReply) => void
  frame: (options: { path: string; who: Who; csrf: Html }) => Pick<PageContent, 'header' | 'script'>
}

/**
 * Returns a function that makes route handlers for recognised users. Refuses forms without the session's CSRF
 * token.
 */
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
        throw new ApiError(403, 'The form has expired. Go back, reload the page and try again.')
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
        show(content) {
          sendPage(reply, { ...content, ...frame({ path: request.routeOptions.url!, who, csrf }) })
        },
        async redirect(path, flash) {
          await cookies.set(reply, flashed, { ...flash })
          void reply.redirect(path, 303)
        },
        download({ name, type, text }) {
          void reply
            .headers({
              'content-type': type,
              'content-disposition': `attachment; filename="${name}"`,
              'cache-control': 'no-store',
              'x-content-type-options': 'nosniff',
            })
            .send(Readable.from(text))
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

/** Links to the sections and the sign-out button. The first section is the home page. */
export function navigation(options: {
  label: string
  sections: readonly (readonly [href: string, name: string])[]
  /** Path of the current page. */
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
