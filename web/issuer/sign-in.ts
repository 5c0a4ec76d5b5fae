import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { errors } from 'oidc-provider'
import type { Users } from '../../db/account/users.ts'
import { DEMO_SUBJECT } from '../../db/values/demo-names.ts'
import { readForm } from '../parts/form.ts'
import { html } from '../parts/html.ts'
import { isSame } from '../parts/is-same.ts'
import { sendPage } from '../parts/send-page.ts'
import { servePath } from '../parts/serve-path.ts'
import { clientNetwork } from './client-network.ts'
import { isPassword, NOBODYS_HASH } from './password.ts'

export interface IssuerPageDeps {
  provider: Provider
  users: Users
  /** Passwords of the users of the sandbox by name. */
  demoUsers: Readonly<Record<string, string>>
  /** Address of the account page, to which a successful sign-in redirects. */
  accountUrl: string
}

/** The same for a wrong password, an unknown name, a disabled user and a locked name. */
const WRONG =
  'User or password is wrong. After five wrong tries in a row, sign-in by this name pauses for a while.'

/** Adds the form at the address of an interaction. */
export function addSignInPages(app: FastifyInstance, deps: IssuerPageDeps): void {
  const { provider, users, demoUsers, accountUrl } = deps
  const formTargets = [new URL(accountUrl).origin]
  const isSandbox = Object.keys(demoUsers).length > 0

  /** Runs `work` if the sign-in of the address was begun in this browser. */
  const begun =
    (work: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      try {
        await provider.interactionDetails(request.raw, reply.raw)
        return await work(request, reply)
      } catch (error) {
        if (!(error instanceof errors.SessionNotFound)) throw error
        const body = html`<p class="panel problem">
            This sign-in has expired or was started in another browser.
          </p>
          <p><a href="${accountUrl}/account">Start again</a></p>`
        return sendPage(reply, { status: 400, title: 'Sign in', body })
      }
    }

  function show(
    reply: FastifyReply,
    { status, problem }: { status: number; problem?: string },
  ): FastifyReply {
    const body = html` ${problem !== undefined && html`<p class="panel problem" role="alert">${problem}</p>`}
      ${
        isSandbox &&
        html`<p>
          Sign in to the sandbox of this installation. <code>npm start</code> prints the users and passwords.
        </p>`
      }
      <form method="post">
        <label
          >User
          <input name="user" ${isSandbox && html`value="${DEMO_SUBJECT}"`} autocomplete="username" required
        /></label>
        <label
          >Password <input name="password" type="password" autocomplete="current-password" required autofocus
        /></label>
        <button>Sign in</button>
      </form>
      <p class="soft">Forgot your password? Ask the operator of this installation for a new link.</p>`
    return sendPage(reply, { status, title: 'Sign in', body, formTargets })
  }

  /** The user of this name and password; `subject` null: wrong. null: too many tries from this network. */
  async function find(given: {
    name: string
    password: string
    network: string
  }): Promise<{ subject: string | null } | null> {
    const { name, password, network } = given
    const found = await users.beginSignIn({ name, network })
    if (!found) return null
    // Takes as long for a name that nobody has.
    const isRight = await isPassword(password, found.passwordHash ?? (await NOBODYS_HASH))
    const isDemo = Object.hasOwn(demoUsers, name) && isSame(password, demoUsers[name]!)
    const subject = isDemo ? name : isRight ? found.subject : null
    if (subject !== null) await users.passSignIn({ name, network })
    return { subject }
  }

  servePath(app, '/interaction/:uid', {
    GET: begun(async (_request, reply) => show(reply, { status: 200 })),
    POST: begun(async (request, reply) => {
      const form = readForm(request.body)
      const found = await find({
        name: form.text('user').toLowerCase().slice(0, 64),
        password: form.list('password')[0] ?? '',
        network: clientNetwork(request.ip),
      })
      if (!found)
        return show(reply, {
          status: 429,
          problem: 'Too many wrong tries came from your network. Try again later.',
        })
      const { subject } = found
      if (subject === null) return show(reply, { status: 401, problem: WRONG })
      await users.noteSignIn(subject)
      const next = await provider.interactionResult(request.raw, reply.raw, { login: { accountId: subject } })
      return reply.redirect(next, 303)
    }),
  })
}
