import type { NetworkId } from '../../../db/values/networks.ts'

/** How long a user may take to sign. */
export const SIGN_SECONDS = 600

/** What a wallet is asked to sign. The message is built from it, and again when the signature comes back. */
export interface Challenge {
  /** In lower case. */
  address: string
  network: NetworkId
  chainId: number
  nonce: string
  issuedAt: Date
}

/** Where the message is shown: the wallet compares it with the address of the page. */
interface Site {
  /** Origin of this service as browsers see it. */
  url: string
  kitId: string
}

// Loaded on the first use, because only these pages need them.
const siwe = () => import('viem/siwe')
const signatures = () => import('viem/utils')

export const newNonce = async (): Promise<string> => (await siwe()).generateSiweNonce()

/** The text of EIP-4361. */
export async function signInMessage(
  { address, chainId, nonce, issuedAt }: Challenge,
  { url, kitId }: Site,
): Promise<string> {
  const { createSiweMessage } = await siwe()
  return createSiweMessage({
    domain: new URL(url).host,
    address: address as `0x${string}`,
    statement:
      'Connect this wallet for reading. Signing moves nothing and gives nobody a right to move anything.',
    uri: `${url}/connect/${kitId}`,
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
