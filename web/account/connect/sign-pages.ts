import type { FastifyInstance } from 'fastify'
import { type NetworkRow, readActiveNetworks } from '../../../db/chain/read-networks.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import type { NetworkId } from '../../../db/values/networks.ts'
import { html, type Html } from '../../parts/html.ts'
import type { SealedCookie, SealedCookies } from '../../parts/sealed-cookies.ts'
import { servePath } from '../../parts/serve-path.ts'
import { type Challenge, isSignedBy, newNonce, SIGN_SECONDS, signInMessage } from '../../parts/siwe.ts'
import type { createPopups, Popup } from './popup.ts'
import { WALLET_SCRIPT } from './scripts.ts'
import { readWallet, type Wallet } from './wallet-screen.ts'

interface SignDeps {
  db: ReadonlyDb
  cookies: SealedCookies
  now: () => Date
  /** Origin of the pages. */
  url: string
  popups: ReturnType<typeof createPopups>
  /** Throws 429 after too many. */
  count: (popup: Popup) => void
  /** Brings the wallet to the app. False: the nonce was used before. */
  finish: (popup: Popup, wallet: Wallet, nonce: string) => Promise<boolean>
}

const STATEMENT =
  'Connect this wallet for reading. Signing moves nothing and gives nobody a right to move anything.'

const challengeOf = (kitId: string): SealedCookie => ({
  name: 'sluice_challenge',
  path: `/connect/${kitId}`,
  seconds: SIGN_SECONDS,
})

/** Form that asks the wallet for its address. The script shows it where the browser has a wallet. */
export function signInForm(options: { action: string; csrf: Html; networks: readonly NetworkRow[] }) {
  const { action, csrf, networks } = options
  const chains = networks.filter(({ chain_id: chainId }) => chainId !== null)
  if (chains.length === 0) return false
  return html`<form method="post" action="${action}" data-wallet hidden>
    ${csrf}
    <h2>Or sign in with your wallet</h2>
    <p>A signature proves to the app that the wallet is yours. It moves nothing and costs nothing.</p>
    <label
      >Network
      <select name="network">
        ${chains.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}
      </select></label
    >
    <input type="hidden" name="address" />
    <button>Use the wallet of this browser</button>
    <p><output></output></p>
  </form>`
}

/** Adds the two steps of a sign-in with a wallet (EIP-4361): the message, and its signature. */
export function addSignPages(app: FastifyInstance, deps: SignDeps): void {
  const { db, cookies, now, url, popups, count, finish } = deps
  const siteOf = ({ kit }: Popup) => ({ url, path: `/connect/${kit.id}`, statement: STATEMENT })

  servePath(app, '/connect/:kitId/sign', {
    POST: popups(async (popup) => {
      const { kit, reply, form, csrf, at, show } = popup
      count(popup)
      const networks = await readActiveNetworks(db)
      const read = readWallet(form, networks)
      const chainId = networks.find(({ id }) => id === form.text('network'))?.chain_id
      if ('problem' in read || chainId === null || chainId === undefined)
        return refuse(popup, 'The wallet has no address on this network.')
      const challenge: Challenge & Wallet = {
        ...read,
        chainId: Number(chainId),
        nonce: await newNonce(),
        issuedAt: now(),
      }
      const message = await signInMessage(challenge, siteOf(popup))
      const { address, network, nonce, issuedAt } = challenge
      const kept = { address, network, chainId: String(chainId), nonce, issuedAt: issuedAt.toISOString() }
      await cookies.set(reply, challengeOf(kit.id), kept)
      show({
        title: 'Sign in with your wallet',
        script: WALLET_SCRIPT,
        body: html`<p>Your wallet shows this text. Sign it there.</p>
          <pre>${message}</pre>
          <form method="post" action="${at('/signed')}" data-wallet data-message="${message}" hidden>
            ${csrf}
            <input type="hidden" name="address" value="${challenge.address}" />
            <input type="hidden" name="signature" />
            <button>Sign in the wallet</button>
            <p><output></output></p>
          </form>`,
      })
    }),
  })

  servePath(app, '/connect/:kitId/signed', {
    POST: popups(async (popup) => {
      const { kit, request, reply, form } = popup
      count(popup)
      const cookie = challengeOf(kit.id)
      const kept = await cookies.get(request, cookie)
      if (!kept) return refuse(popup, 'The message has expired.')
      cookies.clear(reply, cookie)
      const challenge: Challenge & Wallet = {
        address: kept['address']!,
        network: kept['network'] as NetworkId,
        chainId: Number(kept['chainId']),
        nonce: kept['nonce']!,
        issuedAt: new Date(kept['issuedAt']!),
      }
      const message = await signInMessage(challenge, siteOf(popup))
      if (!(await isSignedBy(challenge, { message, signature: form.text('signature') })))
        return refuse(
          popup,
          'The signature is not one of this address. A wallet that is a contract cannot sign in.',
        )
      if (!(await finish(popup, challenge, challenge.nonce)))
        return refuse(popup, 'The message was signed and used before.')
    }),
  })
}

function refuse({ at, show }: Popup, problem: string): void {
  show({
    title: 'Not signed in',
    status: 400,
    body: html`<p class="panel problem" role="alert">${problem}</p>
      <p><a class="button" href="${at('/wallet')}">Try again, or type the address</a></p>`,
  })
}
