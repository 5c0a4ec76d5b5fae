import type { UserWallets } from '../../db/account/user-wallets.ts'
import { parseEvmAddress } from '../../db/values/wallet-address.ts'
import { html, type Html } from '../parts/html.ts'
import { isSignedBy, newNonce, SIGN_SECONDS, signInMessage, type Site } from '../parts/siwe.ts'

export const WALLET_SCRIPT = '/wallet.js'

/** A signature is asked for on Ethereum itself, whatever network the wallet shows. */
const CHAIN_ID = 1

interface Asking {
  wallets: UserWallets
  /** The sign-in or the session for which it is asked. */
  purpose: string
  site: Site
}

/** Form that asks the wallet of the browser for its address. The script shows it where there is a wallet. */
export const walletForm = (options: { action: string; csrf?: Html; text: string }): Html =>
  html`<form method="post" action="${options.action}" data-wallet hidden>
    ${options.csrf}
    <input type="hidden" name="address" />
    <button class="plain">${options.text}</button>
    <p><output></output></p>
  </form>`

/** Makes a message that is signed once, and the page that shows it. null: this is no address. */
export async function askToSign(
  { wallets, purpose, site }: Asking,
  asked: { address: string; action: string; csrf?: Html; now: Date },
): Promise<Html | null> {
  const { action, csrf, now } = asked
  const address = parseEvmAddress(asked.address)?.toLowerCase()
  if (address === undefined) return null
  // As the database keeps it, so that the same message is made again.
  const issuedAt = new Date(Math.floor(now.getTime() / 1_000) * 1_000)
  const nonce = await newNonce()
  await wallets.ask({ nonce, purpose, address, issuedAt, seconds: SIGN_SECONDS })
  const message = await signInMessage({ address, chainId: CHAIN_ID, nonce, issuedAt }, site)
  return html`<p>Your wallet shows this text. Sign it there. It moves nothing and costs nothing.</p>
    <pre>${message}</pre>
    <form method="post" action="${action}" data-wallet data-message="${message}" hidden>
      ${csrf}
      <input type="hidden" name="address" value="${address}" />
      <input type="hidden" name="nonce" value="${nonce}" />
      <input type="hidden" name="signature" />
      <button>Sign in the wallet</button>
      <p><output></output></p>
    </form>`
}

/**
 * The address that signed what it was asked to sign, in lower case. null: the signature is wrong, or the message was used
 * before, has expired or is of something else. The message is made here again: what the browser sends of it is a nonce.
 */
export async function signedBy(
  { wallets, purpose, site }: Asking,
  { nonce, signature }: { nonce: string; signature: string },
): Promise<string | null> {
  const taken = await wallets.take(nonce, purpose)
  if (!taken) return null
  const { address, issuedAt } = taken
  const message = await signInMessage({ address, chainId: CHAIN_ID, nonce, issuedAt }, site)
  return (await isSignedBy({ address }, { message, signature })) ? address : null
}
