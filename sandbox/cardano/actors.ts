import { createHash } from 'node:crypto'
import { bech32 } from '@scure/base'

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Of a transaction or block. */
export const hashOf = (text: string): string => sha256(text).toString('hex')

/** A credential: the hash of a key or script, of 28 bytes. */
const credentialOf = (name: string): Buffer => sha256(`sandbox cardano ${name}`).subarray(0, 28)

/** An address of the main network by its type (CIP-19) and credentials. */
function addressOf(type: number, ...credentials: Buffer[]): string {
  const bytes = Buffer.concat([Buffer.of((type << 4) | 1), ...credentials])
  return bech32.encode(type >= 14 ? 'stake' : 'addr', bech32.toWords(bytes), 128)
}

const [base, script, key, stakeKey] = [0, 7, 6, 14]

/** Payment addresses of an owner, with its stake address; null: they name none. */
export type Owner = { stake: string | null; addressAt: (index: number) => string }
export type CardanoWallet = Owner & { name: string; label: string; weight: number }

function accountOf(name: string): Owner & { stake: string } {
  const staked = credentialOf(`${name} stake`)
  const known = new Map<number, string>()
  return {
    stake: addressOf(stakeKey, staked),
    addressAt(index) {
      const address = known.get(index) ?? addressOf(base, credentialOf(`${name} ${index}`), staked)
      known.set(index, address)
      return address
    },
  }
}

const only = (address: string, stake: string | null = null): Owner => ({ stake, addressAt: () => address })
const holder = accountOf('holder')
const single = accountOf('single')

/** The tracked wallets. `name`: as it is tracked, a stake address or one payment address. */
export const cardanoWallets: CardanoWallet[] = [
  { ...holder, name: holder.stake, label: 'Account', weight: 5 },
  { ...only(single.addressAt(0), single.stake), name: single.addressAt(0), label: 'One address', weight: 3 },
  {
    ...only(addressOf(key, credentialOf('vault'))),
    name: addressOf(key, credentialOf('vault')),
    label: 'Without stake',
    weight: 1,
  },
]

export const exchange = only(addressOf(key, credentialOf('exchange')))
export const maker = accountOf('market maker')
export const spammer = only(addressOf(key, credentialOf('spammer')))
export const contract = only(addressOf(script, credentialOf('contract')))
export const outsiders: Owner[] = [
  // Of the Byron era, from the documents of cardano-addresses.
  only('Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi'),
  ...Array.from({ length: 39 }, (_, i) => accountOf(`outsider ${i}`)),
]
/** Lovelace that the registration of a stake address takes. */
export const keyDeposit = 2_000_000n
export const stakePool = bech32.encode('pool', bech32.toWords(credentialOf('pool')))

export type CardanoToken = {
  policy: string
  /** hexadecimal digits */
  assetName: string
  unit: string
  /** null: not in the token registry */
  registered: { name: string; ticker: string | null; decimals: number } | null
  /** Coin id in the simulated market; null: unlisted. */
  coinId: string | null
}

function tokenOf(
  text: string,
  registered: CardanoToken['registered'],
  coinId: string | null = null,
): CardanoToken {
  const [policy, assetName] = [
    credentialOf(`policy ${text}`).toString('hex'),
    Buffer.from(text).toString('hex'),
  ]
  return { policy, assetName, unit: policy + assetName, registered, coinId }
}

export const usdc = tokenOf('USDC', { name: 'USD Coin', ticker: 'USDC', decimals: 6 }, 'usd-coin')
/** One piece, without an entry in the registry. */
export const picture = tokenOf('SandboxPicture0042', null)
export const gift = tokenOf('Claim at adagift.example', null)
export const cardanoTokens: CardanoToken[] = [usdc, picture, gift]
