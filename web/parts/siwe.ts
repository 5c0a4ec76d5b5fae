import { readFileSync } from 'node:fs'

/** Talks to the wallet of the browser: fills in and sends the forms that are marked `data-wallet`. */
export const walletScript = readFileSync(new URL('./wallet.js', import.meta.url), 'utf8')

/** How long a user may take to sign. */
export const SIGN_SECONDS = 600

/** What a wallet is asked to sign. The message is built from it, and again when the signature comes back. */
export interface Challenge {
  /** In lower case. */
  address: string
  chainId: number
  nonce: string
  issuedAt: Date
}

/** Where the message is shown, and what it says: the wallet compares it with the address of the page. */
export interface Site {
  /** Origin of the page as browsers see it. */
  url: string
  /** Path of what the signature opens. */
  path: string
  statement: string
}

// Loaded on the first use, because only these pages need them.
const siwe = () => import('viem/siwe')
const signatures = () => import('viem/utils')

export const newNonce = async (): Promise<string> => (await siwe()).generateSiweNonce()

/** The text of EIP-4361. */
export async function signInMessage(
  { address, chainId, nonce, issuedAt }: Challenge,
  { url, path, statement }: Site,
): Promise<string> {
  const { createSiweMessage } = await siwe()
  return createSiweMessage({
    domain: new URL(url).host,
    address: address as `0x${string}`,
    statement,
    uri: `${url}${path}`,
    version: '1',
    chainId,
    nonce,
    issuedAt,
    expirationTime: new Date(issuedAt.getTime() + SIGN_SECONDS * 1_000),
  })
}

/** Whether the key of the address signed the message. False also for wallets that are contracts: they have no key. */
export async function isSignedBy(
  { address }: Pick<Challenge, 'address'>,
  { message, signature }: { message: string; signature: string },
): Promise<boolean> {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return false
  const { recoverMessageAddress } = await signatures()
  const signer = await recoverMessageAddress({ message, signature: signature as `0x${string}` }).catch(
    () => '',
  )
  return signer.toLowerCase() === address
}
