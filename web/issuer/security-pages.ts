import type { FastifyInstance, FastifyReply } from 'fastify'
import type Provider from 'oidc-provider'
import { encode } from 'uqr'
import { sealingPublicKey, sealSecret } from '../../db/values/sealed-secret.ts'
import { html, type Html } from '../parts/html.ts'
import { servePath } from '../parts/serve-path.ts'
import { clientNetwork } from './client-network.ts'
import { WALLET_SCRIPT } from './ethereum.ts'
import { createOwnVisits, type OwnVisit } from './own-visits.ts'
import { hashPassword, isPassword, NOBODYS_HASH } from './password.ts'
import { passwordFields, problemWith } from './password-fields.ts'
import { appSecret } from './second-step.ts'
import { addWalletPages, walletPart } from './wallet-pages.ts'
import type { SignInDeps } from './sign-in.ts'
import { newRecoveryCodes, newTotpSecret, totpStep, totpUrl } from './totp.ts'

const HOME = '/security'

interface SecurityDeps extends SignInDeps {
  provider: Provider
  /** Keys the tokens of forms. */
  secret: string
  /** Address of the account page. */
  accountUrl: string
}

/** Adds the pages where users set how they sign in: password, app for codes, recovery codes. */
export function addSecurityPages(app: FastifyInstance, deps: SecurityDeps): void {
  const { users, codes, sealingKeys, issuer, accountUrl, now } = deps
  const own = createOwnVisits(deps)
  addWalletPages(app, own, deps)

  servePath(app, HOME, {
    GET: own(async (visit) => {
      const { csrf, profile, show } = visit
      const { name, hasTotp, recoveryCodes } = profile
      const button = (path: string, text: string, style = 'plain') =>
        html`<form method="post" action="${HOME}/${path}">
          ${csrf}<button class="${style}">${text}</button>
        </form>`
      return show({
        title: 'How you sign in',
        script: WALLET_SCRIPT,
        body: html`<p>You are ${name}. <a href="${accountUrl}/account">Back to the account</a></p>
          <h2>Codes of an app</h2>
          ${
            hasTotp
              ? html`<p>
                    After the password you enter a code of your app. ${recoveryCodes} recovery codes are left.
                  </p>
                  <div class="row">
                    ${button('recovery-codes', 'Make new recovery codes')}
                    ${button('app/remove', 'Remove the app', 'bad')}
                  </div>`
              : html`<p>Off. With an app on your phone, the password alone does not let anybody in.</p>
                  ${button('app', 'Set up an app', '')}`
          }
          ${await walletPart(deps, visit)}
          <h2>Password</h2>
          <form method="post" action="${HOME}/password">
            ${csrf}
            <label>User <input name="user" value="${name}" autocomplete="username" readonly /></label>
            <label
              >Password of now <input name="current" type="password" autocomplete="current-password" required
            /></label>
            ${passwordFields('New password')}
            <button>Change the password</button>
          </form>`,
      })
    }),
  })

  servePath(app, `${HOME}/app`, {
    GET: own((visit) => showApp(visit)),
    POST: own(async ({ reply, subject }) => {
      const sealed = sealSecret({
        secret: newTotpSecret(),
        context: { userSubject: subject },
        publicKey: sealingPublicKey(sealingKeys[0]!),
      })
      const isKept = await codes.keep(subject, sealed)
      return reply.redirect(isKept ? `${HOME}/app` : HOME, 303)
    }),
  })

  async function showApp(visit: OwnVisit, problem?: string): Promise<FastifyReply> {
    const { subject, profile, csrf, show, reply } = visit
    const secret = await appSecret(deps, subject)
    if (!secret || secret.isConfirmed) return reply.redirect(HOME, 303)
    const url = totpUrl({ secret: secret.text, name: profile.name, host: new URL(issuer).hostname })
    return show({
      title: 'Set up an app',
      status: problem === undefined ? 200 : 400,
      body: html`${problem !== undefined && html`<p class="panel problem" role="alert">${problem}</p>`}
        <p>Scan this with an app for codes (TOTP), or type the key there.</p>
        ${qrCode(url)}
        <p>Key: <code>${secret.text.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
        <form method="post" action="${HOME}/app/confirm">
          ${csrf}
          <label
            >Code that the app shows
            <input name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus
          /></label>
          <button>Turn it on</button>
        </form>`,
    })
  }

  servePath(app, `${HOME}/app/confirm`, {
    POST: own(async (visit) => {
      const { subject, form, show } = visit
      const secret = await appSecret(deps, subject)
      const code = form.text('code').replaceAll(' ', '')
      const step = secret && totpStep({ secret: secret.text, code, at: now() })
      if (step === null)
        return showApp(
          visit,
          'This is not the code of now. Check the clock of the phone, and enter the next code.',
        )
      const recoveryCodes = newRecoveryCodes()
      if (!(await codes.confirm(subject, step, recoveryCodes))) return showApp(visit)
      return show({ title: 'The app is on', body: recoveryList(recoveryCodes) })
    }),
  })

  servePath(app, `${HOME}/app/remove`, {
    POST: own(async ({ subject, reply }) => {
      await codes.drop(subject)
      return reply.redirect(HOME, 303)
    }),
  })

  servePath(app, `${HOME}/recovery-codes`, {
    POST: own(async ({ subject, profile, show, reply }) => {
      if (!profile.hasTotp) return reply.redirect(HOME, 303)
      const recoveryCodes = newRecoveryCodes()
      await codes.renew(subject, recoveryCodes)
      return show({ title: 'New recovery codes', body: recoveryList(recoveryCodes) })
    }),
  })

  servePath(app, `${HOME}/password`, {
    POST: own(async ({ request, form, subject, profile, show }) => {
      const { name } = profile
      const tried = { name, network: clientNetwork(request.ip) }
      // As they were typed: `text` would trim them.
      const typed = (field: string) => form.list(field)[0] ?? ''
      const [current, password] = [typed('current'), typed('password')]
      const refuse = (problem: string) =>
        show({
          title: 'The password is the same as before',
          status: 400,
          body: html`<p class="panel problem" role="alert">${problem}</p>
            <p><a href="${HOME}">Go back</a></p>`,
        })
      const problem = problemWith({ name, password, again: typed('again') })
      if (problem !== null) return refuse(problem)
      const found = await users.beginSignIn(tried)
      if (!found || !(await isPassword(current, found.passwordHash ?? (await NOBODYS_HASH))))
        return refuse('The password of now is wrong.')
      await users.passSignIn(tried)
      await users.changePassword(subject, await hashPassword(password))
      return show({
        title: 'The password is changed',
        body: html`<p role="status">You are signed out of the account page, here and in other browsers.</p>
          <p><a class="button" href="${accountUrl}/account/sign-in?prompt=login">Sign in</a></p>`,
      })
    }),
  })
}

function recoveryList(recoveryCodes: readonly string[]): Html {
  return html`<p>
      Keep these recovery codes where you find them without your phone. Each signs you in once in place of a
      code of the app. They are shown only now, and replace former ones.
    </p>
    <ul class="panel">
      ${recoveryCodes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p><a class="button" href="${HOME}">I have stored them</a></p>`
}

/** Dark on white in every theme, because some apps read nothing else. */
function qrCode(text: string): Html {
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`<svg class="code" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of the key">
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${path.join('')}" fill="#000" />
  </svg>`
}
