import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type pg from 'pg'
import { ApiError } from '../../../api/errors.ts'
import type { ConnectKit } from '../../../db/account/kits.ts'
import { type Form, readForm } from '../../parts/form.ts'
import { html, type Html } from '../../parts/html.ts'
import { isSame } from '../../parts/is-same.ts'
import type { SealedCookie, SealedCookies } from '../../parts/sealed-cookies.ts'
import { sendPage } from '../../parts/send-page.ts'
import { brandHeader, brandOf } from './brand.ts'
import { findKit } from './find-kit.ts'
import { FINISH_SCRIPT } from './scripts.ts'
import { type Callback, queryOf, readCallback, withResult } from './callback.ts'

/** One request of a user who came from an app. */
export interface Popup {
  request: FastifyRequest
  reply: FastifyReply
  kit: ConnectKit & { accountId: string }
  callback: Callback
  form: Form
  /** Hidden field that every form of a screen needs. */
  csrf: Html
  /** Address of a screen of this kit. */
  at: (screen: string) => string
  show: (content: { title: string; body: Html; status?: number; script?: string }) => void
  /** Brings the result back to the app. */
  finish: (result: Record<string, string>) => void
}

/** Returns a function that makes route handlers for the screens of a kit. Their paths have `:kitId`. */
export function createPopups({ pool, cookies }: { pool: pg.Pool; cookies: SealedCookies }) {
  return (handle: (popup: Popup) => Promise<void>): RouteHandlerMethod =>
    async (request, reply) => {
      const { kitId } = request.params as { kitId: string }
      const kit = await findKit(pool, kitId)
      const callback = readCallback(kit, request.url)
      const csrf = await csrfOf(cookies, { kitId, request, reply })
      const form = readForm(request.method === 'POST' ? request.body : {})
      const popup: Popup = {
        request,
        reply,
        kit,
        callback,
        form,
        csrf: html`<input type="hidden" name="csrf" value="${csrf}" />`,
        at: (screen) => `/connect/${kitId}${screen}?${queryOf(callback)}`,
        show({ title, body, ...rest }) {
          const footer = html`<footer class="soft small">
            Afterwards you are back at ${callback.origin}. Sluice reads what you connect and can never move
            it.
          </footer>`
          sendPage(reply, {
            title,
            header: brandHeader(kit),
            body: html`${body}${footer}`,
            brand: brandOf(kit),
            // A form may end in a redirect to the app.
            formTargets: [callback.origin],
            ...rest,
          })
        },
        finish(result) {
          const message = { ...result, ...(callback.state !== null && { state: callback.state }) }
          if (kit.mode === 'redirect') void reply.redirect(withResult(callback.redirectUrl!, message), 303)
          else popup.show(closing(callback, message))
        },
      }
      if (request.method === 'POST' && !isSame(form.text('csrf'), csrf))
        throw new ApiError(403, 'The form has expired. Go back, reload the page and try again.')
      await handle(popup)
      return reply
    }
}

/** A popup without a script, or without the window that opened it, offers a link if the kit allows one. */
function closing({ origin, redirectUrl }: Callback, message: Record<string, string>) {
  return {
    title: 'error' in message ? 'Cancelled' : 'Connected',
    script: FINISH_SCRIPT,
    body: html`<p class="panel notice" role="status">You can close this window.</p>
      <div
        hidden
        data-origin="${origin}"
        data-message="${JSON.stringify({ type: 'sluice-connect', ...message })}"
      ></div>
      ${redirectUrl !== null && html`<p><a class="button" href="${withResult(redirectUrl, message)}">Back to the app</a></p>`}`,
  }
}

/** The secret of this browser for the forms of a kit. Kept, so that two windows do not disturb each other. */
async function csrfOf(
  cookies: SealedCookies,
  { kitId, request, reply }: { kitId: string; request: FastifyRequest; reply: FastifyReply },
): Promise<string> {
  const cookie: SealedCookie = { name: 'sluice_connect', path: `/connect/${kitId}`, seconds: 3_600 }
  const { csrf = randomBytes(24).toString('base64url') } = (await cookies.get(request, cookie)) ?? {}
  await cookies.set(reply, cookie, { csrf })
  return csrf
}
