import type { FastifyInstance, FastifyReply } from 'fastify'
import type { UserCodes } from '../../db/account/user-codes.ts'
import type { UserWallets } from '../../db/account/user-wallets.ts'
import type { Users } from '../../db/account/users.ts'
import { DEMO_SUBJECT } from '../../db/values/demo-names.ts'
import { html } from '../parts/html.ts'
import { isSame } from '../parts/is-same.ts'
import { servePath } from '../parts/serve-path.ts'
import { askToSign, signedBy, walletForm, WALLET_SCRIPT } from './ethereum.ts'
import { type Interactions, type SignInStep, TOO_MANY } from './interactions.ts'
import { isPassword, NOBODYS_HASH } from './password.ts'
import { checkCode } from './second-step.ts'

export interface SignInDeps {
  users: Users
  codes: UserCodes
  wallets: UserWallets
  /** Passwords of the users of the sandbox by name. */
  demoUsers: Readonly<Record<string, string>>
  /** Private keys that open the secrets of apps, newest first. */
  sealingKeys: readonly string[]
  /** Address of the provider. */
  issuer: string
  now: () => Date
}

/** The same for a wrong password, an unknown name, a disabled user and a locked name. */
const WRONG =
  'User or password is wrong. After five wrong tries in a row, sign-in by this name pauses for a while.'
/** The same for a code that was used before. */
const WRONG_CODE =
  'The code is wrong, too old or was used before. After five wrong codes in a row, sign-in pauses for a while.'
/** The same for a wrong signature, a message that was used before, and an account that signs nobody in. */
const WRONG_WALLET =
  'This signature signs nobody in. Users add their Ethereum account under "Sign-in" of the account page first.'

const HOME = '/interaction/:uid'

/** Adds the pages of a sign-in: name and password, or an Ethereum account, then the code of an app if there is one. */
export function addSignInPages(app: FastifyInstance, steps: Interactions, deps: SignInDeps): void {
  const { users, demoUsers, wallets, issuer, now } = deps
  const isSandbox = Object.keys(demoUsers).length > 0

  function showForm({ home, show }: SignInStep, refused: { status?: number; problem?: string } = {}) {
    const body = html`${
        isSandbox &&
        html`<p>
          Sign in to the sandbox of this installation. <code>npm start</code> prints the users and passwords.
        </p>`
      }
      <form method="post" action="${home}">
        <label
          >User
          <input name="user" ${isSandbox && html`value="${DEMO_SUBJECT}"`} autocomplete="username" required
        /></label>
        <label
          >Password <input name="password" type="password" autocomplete="current-password" required autofocus
        /></label>
        <button>Sign in</button>
      </form>
      ${walletForm({ action: `${home}/ethereum`, text: 'Sign in with Ethereum' })}
      <p class="soft">Forgot your password? Ask the operator of this installation for a new link.</p>`
    return show({ title: 'Sign in', body, script: WALLET_SCRIPT, ...refused })
  }

  servePath(app, HOME, {
    GET: steps(async (step) =>
      step.prompt === 'consent' ? step.redirect(`${step.home}/consent`) : showForm(step),
    ),
    POST: steps(async (step) => {
      const { form, network } = step
      const name = form.text('user').toLowerCase().slice(0, 64)
      const password = form.list('password')[0] ?? ''
      const found = await users.beginSignIn({ name, network })
      if (!found) return showForm(step, { status: 429, problem: TOO_MANY })
      // Takes as long for a name that nobody has.
      const isRight = await isPassword(password, found.passwordHash ?? (await NOBODYS_HASH))
      const isDemo = Object.hasOwn(demoUsers, name) && isSame(password, demoUsers[name]!)
      const subject = isDemo ? name : isRight ? found.subject : null
      if (subject === null) return showForm(step, { status: 401, problem: WRONG })
      await users.passSignIn({ name, network })
      return step.pass(subject, 'pwd')
    }),
  })

  const asking = ({ uid }: SignInStep) => ({
    wallets,
    purpose: `sign-in ${uid}`,
    site: { url: issuer, path: '/', statement: 'Sign in to Sluice.' },
  })

  servePath(app, `${HOME}/ethereum`, {
    POST: steps(async (step) => {
      const { form, home, show } = step
      const asked = { address: form.text('address'), action: `${home}/ethereum/signed`, now: now() }
      const body = await askToSign(asking(step), asked)
      return body
        ? show({ title: 'Sign in with Ethereum', body, script: WALLET_SCRIPT })
        : showForm(step, { status: 400, problem: 'This is no address of Ethereum.' })
    }),
  })

  servePath(app, `${HOME}/ethereum/signed`, {
    POST: steps(async (step) => {
      const { form, network } = step
      if (!(await wallets.begin(network))) return showForm(step, { status: 429, problem: TOO_MANY })
      const signed = { nonce: form.text('nonce'), signature: form.text('signature') }
      const address = await signedBy(asking(step), signed)
      const subject = address === null ? null : await wallets.userOf(address)
      if (subject === null) return showForm(step, { status: 401, problem: WRONG_WALLET })
      await wallets.pass(network)
      return step.pass(subject, 'swk')
    }),
  })

  function showCode(
    { home, show }: SignInStep,
    refused: { status?: number; problem?: string } = {},
  ): FastifyReply {
    const body = html`<form method="post" action="${home}/code">
        <label
          >Code of your app, or a recovery code
          <input name="code" autocomplete="one-time-code" required autofocus
        /></label>
        <button>Sign in</button>
      </form>
      <p class="soft">
        Without the app and the recovery codes, ask the operator of this installation for a new link.
      </p>`
    return show({ title: 'Enter a code', body, ...refused })
  }

  servePath(app, `${HOME}/code`, {
    GET: steps(async (step) => (step.passed ? showCode(step) : step.redirect(step.home))),
    POST: steps(async (step) => {
      const { form, network, passed, home } = step
      if (!passed) return step.redirect(home)
      const { subject, method } = passed
      const outcome = await checkCode(deps, { subject, code: form.text('code'), network })
      if (outcome === 'right') return step.finish(subject, [method, 'otp'])
      if (outcome === 'too many') return showCode(step, { status: 429, problem: TOO_MANY })
      return showCode(step, { status: 401, problem: WRONG_CODE })
    }),
  })
}
