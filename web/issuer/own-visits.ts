import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type Provider from 'oidc-provider'
import { ApiError } from '../../api/errors.ts'
import type { UserProfile, Users } from '../../db/account/users.ts'
import { type Form, readForm } from '../parts/form.ts'
import { html, type Html } from '../parts/html.ts'
import { isSame } from '../parts/is-same.ts'
import { sendPage } from '../parts/send-page.ts'

/** Whoever finds an open browser later cannot change how its user signs in. */
const FRESH_S = 900

/** One request of a user who signed in at the provider a moment ago. */
export interface OwnVisit {
  request: FastifyRequest
  reply: FastifyReply
  form: Form
  /** Hidden field that every form of a page needs. */
  csrf: Html
  subject: string
  /** The session to which something belongs that is asked for here. */
  purpose: string
  profile: UserProfile
  show: (content: { title: string; body: Html; status?: number; script?: string }) => FastifyReply
}

export type OwnVisits = ReturnType<typeof createOwnVisits>

/** Returns a function that makes route handlers for users who signed in at the provider within 15 minutes. */
export function createOwnVisits(deps: {
  provider: Provider
  users: Users
  /** Keys the tokens of forms. */
  secret: string
  /** Address of the account page. */
  accountUrl: string
}) {
  const { provider, users, secret, accountUrl } = deps

  function ask(reply: FastifyReply): FastifyReply {
    const body = html`<p>Here you set how you sign in. Sign in once more before you change that.</p>
      <p>
        <a class="button" href="${accountUrl}/account/sign-in?prompt=login&amp;to=security">Sign in</a>
      </p>`
    return sendPage(reply, { status: 401, title: 'How you sign in', body })
  }

  return (handle: (visit: OwnVisit) => Promise<FastifyReply>): RouteHandlerMethod =>
    async (request, reply) => {
      const session = await provider.Session.get(provider.createContext(request.raw, reply.raw))
      const { accountId: subject, uid } = session
      const profile = subject === undefined || session.past(FRESH_S) ? null : await users.profile(subject)
      if (!profile) return ask(reply)
      const token = createHmac('sha256', secret).update(`form of ${uid}`).digest('base64url')
      const form = readForm(request.method === 'POST' ? request.body : {})
      if (request.method === 'POST' && !isSame(form.text('csrf'), token))
        throw new ApiError(403, 'The form has expired. Go back, reload the page and try again.')
      return handle({
        request,
        reply,
        form,
        csrf: html`<input type="hidden" name="csrf" value="${token}" />`,
        subject: subject!,
        purpose: `session ${uid}`,
        profile,
        show: (content) => sendPage(reply, content),
      })
    }
}
