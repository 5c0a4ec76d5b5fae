import type { FastifyInstance } from 'fastify'
import { html, type Html } from '../parts/html.ts'
import { servePath } from '../parts/serve-path.ts'
import { askToSign, signedBy, walletForm, WALLET_SCRIPT } from './ethereum.ts'
import type { OwnVisit, OwnVisits } from './own-visits.ts'
import type { SignInDeps } from './sign-in.ts'

const HOME = '/security'
const AT = `${HOME}/ethereum`

type WalletDeps = Pick<SignInDeps, 'wallets' | 'issuer' | 'now'>

/** The Ethereum accounts of a user, with a button to remove each and a form to add one. */
export async function walletPart({ wallets }: WalletDeps, { subject, csrf }: OwnVisit): Promise<Html> {
  const own = await wallets.list(subject)
  return html`<h2>Ethereum accounts</h2>
    ${own.length === 0 && html`<p>None. With one you sign in without a name and a password.</p>`}
    ${own.map(
      ({ address }) =>
        html`<form class="row" method="post" action="${AT}/remove">
          ${csrf}<input type="hidden" name="address" value="${address}" /><code>${address}</code>
          <button class="bad" aria-label="Remove ${address}">Remove</button>
        </form>`,
    )}
    ${walletForm({ action: AT, csrf, text: 'Add the wallet of this browser' })}`
}

/** Adds the pages where users add and remove Ethereum accounts. */
export function addWalletPages(app: FastifyInstance, own: OwnVisits, deps: WalletDeps): void {
  const { wallets, issuer, now } = deps
  const asking = ({ purpose, profile }: OwnVisit) => ({
    wallets,
    purpose,
    site: { url: issuer, path: HOME, statement: `Let this account sign in the user ${profile.name}.` },
  })

  servePath(app, AT, {
    POST: own(async (visit) => {
      const { form, csrf, show } = visit
      const asked = { address: form.text('address'), action: `${AT}/signed`, csrf, now: now() }
      const body = await askToSign(asking(visit), asked)
      return body
        ? show({ title: 'Add an Ethereum account', body, script: WALLET_SCRIPT })
        : refuse(visit, 'This is no address of Ethereum.')
    }),
  })

  servePath(app, `${AT}/signed`, {
    POST: own(async (visit) => {
      const { subject, form, reply } = visit
      const signed = { nonce: form.text('nonce'), signature: form.text('signature') }
      const address = await signedBy(asking(visit), signed)
      if (address === null)
        return refuse(visit, 'The signature is wrong, or the message was used before or has expired.')
      if (!(await wallets.add(subject, address))) return refuse(visit, 'This account signs in another user.')
      return reply.redirect(HOME, 303)
    }),
  })

  servePath(app, `${AT}/remove`, {
    POST: own(async ({ subject, form, reply }) => {
      await wallets.remove(subject, form.text('address'))
      return reply.redirect(HOME, 303)
    }),
  })
}

const refuse = ({ show }: OwnVisit, problem: string) =>
  show({
    title: 'Nothing was added',
    status: 400,
    body: html`<p class="panel problem" role="alert">${problem}</p>
      <p><a href="${HOME}">Go back</a></p>`,
  })
