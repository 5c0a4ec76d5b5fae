import { createHash } from 'node:crypto'
import { createBase58check } from '@scure/base'

const base58check = createBase58check((data) => createHash('sha256').update(data).digest())

/** The 20 bytes of an address, in hexadecimal digits. */
export const hexOf = (address: string): string => Buffer.from(base58check.decode(address)).toString('hex', 1)

/** The address of a name, without a known key. */
const addressOf = (name: string): string =>
  base58check.encode(
    Uint8Array.of(0x41, ...createHash('sha256').update(`sandbox tron ${name}`).digest().subarray(0, 20)),
  )

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export type TronWallet = {
  address: string
  label: string
  /** Share of the activity. */
  weight: number
}

/** The tracked wallets. */
export const tronWallets: TronWallet[] = [
  { address: addressOf('trader'), label: 'Trader', weight: 5 },
  { address: addressOf('staker'), label: 'Staker', weight: 2 },
  { address: addressOf('spender'), label: 'Spender', weight: 2 },
]

export const exchange = addressOf('exchange')
export const pool = addressOf('pool')
export const payer = addressOf('payer contract')
export const spammer = addressOf('spammer')
export const outsiders: string[] = Array.from({ length: 25 }, (_, i) => addressOf(`outsider ${i}`))
export const nobody = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'

export type TronToken = {
  address: string
  symbol: string
  name: string
  decimals: number
  /** Coin id in the simulated market; null: unlisted. */
  coinId: string | null
}

export const usdt: TronToken = {
  address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  symbol: 'USDT',
  name: 'Tether USD',
  decimals: 6,
  coinId: 'tether',
}
export const wrappedTrx: TronToken = {
  address: 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR',
  symbol: 'WTRX',
  name: 'Wrapped TRX',
  decimals: 6,
  coinId: null,
}
export const scam: TronToken = {
  address: addressOf('scam token'),
  symbol: 'BONUS',
  name: 'Claim at trxbonus.example',
  decimals: 6,
  coinId: null,
}

export const tronTokens: TronToken[] = [usdt, wrappedTrx, scam]
