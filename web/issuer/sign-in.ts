import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { errors } from 'oidc-provider'
import type { UserCodes } from '../../db/account/user-codes.ts'
import type { Users } from '../../db/account/users.ts'
import { DEMO_SUBJECT } from '../../db/values/demo-names.ts'
import { readForm } from '../parts/form.ts'
import { html } from '../parts/html.ts'
import { isSame } from '../parts/is-same.ts'
import { sendPage } from '../parts/send-page.ts'
import { servePath } from '../parts/serve-path.ts'
import { clientNetwork } from './client-network.ts'
import { isPassword, NOBODYS_HASH } from './password.ts'
import { checkCode } from './second-step.ts'

export interface IssuerPageDeps {
  provider: Provider
  users: Users
  /** Passwords of the users of the sandbox by name. */
  demoUsers: Readonly<Record<string, string>>
  /** Address of the account page, to which a successful sign-in redirects. */
  accountUrl: string
  codes: UserCodes
  /** Private keys that open the secrets of apps, newest first. */
  sealingKeys: readonly string[]
  now: () => Date
}

/** The same for a wrong password, an unknown name, a disabled user and a locked name. */
const WRONG =
  'User or password is wrong. After five wrong tries in a row, sign-in by this name pauses for a while.'

/** The same for a code that was used before. */
const WRONG_CODE =
  'The code is wrong, too old or was used before. After five wrong codes in a row, sign-in pauses for a while.'
const TOO_MANY = 'Too many wrong tries came from your network. Try again later.'

/** Adds the form at the address of an interaction. */
export function addSignInPages(app: FastifyInstance, deps: IssuerPageDeps): void {
  const { provider, users, demoUsers, accountUrl, now } = deps
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
      if (!found) return show(reply, { status: 429, problem: TOO_MANY })
      const { subject } = found
      if (subject === null) return show(reply, { status: 401, problem: WRONG })
      if (!(await users.profile(subject))?.hasTotp) return finish(request, reply, { subject, amr: ['pwd'] })
      const interaction = await provider.interactionDetails(request.raw, reply.raw)
      interaction.result = { passed: subject }
      await interaction.save(interaction.exp - Math.floor(now().getTime() / 1_000))
      return reply.redirect(`/interaction/${interaction.uid}/code`, 303)
    }),
  })

  /** Signs the user in and leads back to the provider. */
  async function finish(
    request: FastifyRequest,
    reply: FastifyReply,
    { subject, amr }: { subject: string; amr: string[] },
  ): Promise<FastifyReply> {
    await users.noteSignIn(subject)
    const next = await provider.interactionResult(request.raw, reply.raw, {
      login: { accountId: subject, amr },
    })
    return reply.redirect(next, 303)
  }

  function showCode(
    reply: FastifyReply,
    { status, problem }: { status: number; problem?: string },
  ): FastifyReply {
    const body = html` ${problem !== undefined && html`<p class="panel problem" role="alert">${problem}</p>`}
      <form method="post">
        <label
          >Code of your app, or a recovery code
          <input name="code" autocomplete="one-time-code" required autofocus
        /></label>
        <button>Sign in</button>
      </form>
      <p class="soft">
        Without the app and the recovery codes, ask the operator of this installation for a new link.
      </p>`
    return sendPage(reply, { status, title: 'Enter a code', body, formTargets })
  }

  /** Runs `work` for the user whose password was right in this sign-in. */
  const passed = (
    work: (request: FastifyRequest, reply: FastifyReply, subject: string) => Promise<FastifyReply>,
  ) =>
    begun(async (request, reply) => {
      const { uid, result } = await provider.interactionDetails(request.raw, reply.raw)
      const subject = result?.['passed']
      return typeof subject === 'string'
        ? work(request, reply, subject)
        : reply.redirect(`/interaction/${uid}`, 303)
    })

  servePath(app, '/interaction/:uid/code', {
    GET: passed(async (_request, reply) => showCode(reply, { status: 200 })),
    POST: passed(async (request, reply, subject) => {
      const code = readForm(request.body).text('code')
      const outcome = await checkCode(deps, { subject, code, network: clientNetwork(request.ip) })
      if (outcome === 'right') return finish(request, reply, { subject, amr: ['pwd', 'otp'] })
      if (outcome === 'too many') return showCode(reply, { status: 429, problem: TOO_MANY })
      return showCode(reply, { status: 401, problem: WRONG_CODE })
    }),
  })
}
