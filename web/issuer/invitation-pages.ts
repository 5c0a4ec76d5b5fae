import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Users } from '../../db/account/users.ts'
import { readForm } from '../parts/form.ts'
import { html } from '../parts/html.ts'
import { sendPage } from '../parts/send-page.ts'
import { servePath } from '../parts/serve-path.ts'
import { hashPassword } from './password.ts'
import { passwordFields, problemWith } from './password-fields.ts'

/** Adds the page of an invitation, where a user chooses a password. */
export function addInvitationPages(
  app: FastifyInstance,
  { users, accountUrl }: { users: Users; accountUrl: string },
): void {
  const tokenOf = ({ params }: FastifyRequest) => (params as { token: string }).token

  function show(reply: FastifyReply, { name, problem }: { name: string; problem?: string }): FastifyReply {
    const body = html`${problem !== undefined && html`<p class="panel problem" role="alert">${problem}</p>`}
      <p>Choose the password with which you will sign in.</p>
      <form method="post">
        <label>User <input name="user" value="${name}" autocomplete="username" readonly /></label>
        ${passwordFields('Password')}
        <button>Set the password</button>
      </form>`
    return sendPage(reply, { status: problem === undefined ? 200 : 400, title: 'Welcome', body })
  }

  function refuse(reply: FastifyReply): FastifyReply {
    const body = html`<p class="panel problem" role="alert">
        This link was used before, was replaced by another one, or is older than three days.
      </p>
      <p>
        Ask the operator for a new one. If you have a password, <a href="${accountUrl}/account">sign in</a>.
      </p>`
    return sendPage(reply, { status: 404, title: 'This link does not work', body })
  }

  servePath(app, '/invitation/:token', {
    GET: async (request, reply) => {
      const name = await users.invited(tokenOf(request))
      return name === null ? refuse(reply) : show(reply, { name })
    },
    POST: async (request, reply) => {
      const token = tokenOf(request)
      const name = await users.invited(token)
      if (name === null) return refuse(reply)
      const form = readForm(request.body)
      const [password = ''] = form.list('password')
      const problem = problemWith({ name, password, again: form.list('again')[0] ?? '' })
      if (problem !== null) return show(reply, { name, problem })
      // Of two requests at the same moment one is told that the link was used.
      if (!(await users.accept(token, await hashPassword(password)))) return refuse(reply)
      const body = html`<p role="status">Your password is set, and the link no longer works.</p>
        <p><a class="button" href="${accountUrl}/account/sign-in?prompt=login">Sign in</a></p>`
      return sendPage(reply, { title: 'Welcome', body })
    },
  })
}
