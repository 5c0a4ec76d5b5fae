import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The address of a name, without a known key. */
const addressOf = (name: string): string => `0x${sha256(`sandbox sui ${name}`).toString('hex')}`

/** Of a transaction: 32 bytes. */
export const digestOf = (text: string): string => base58.encode(sha256(text))

/** The tracked wallets. */
export const suiWallets: { address: string; label: string; weight: number }[] = [
  { address: addressOf('trader'), label: 'Trader', weight: 4 },
  { address: addressOf('saver'), label: 'Saver', weight: 2 },
]

export const exchange = addressOf('exchange')
export const maker = addressOf('market maker')
export const sponsor = addressOf('sponsor')
export const spammer = addressOf('spammer')
export const outsiders: string[] = Array.from({ length: 70 }, (_, i) => addressOf(`outsider ${i}`))

export type SuiCoin = {
  type: string
  symbol: string
  name: string
  decimals: number
  /** Coin id in the simulated market; null: unlisted. */
  coinId: string | null
}

export const suiType = `0x${'2'.padStart(64, '0')}::sui::SUI`
export const usdc: SuiCoin = {
  type: '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC',
  symbol: 'USDC',
  name: 'USDC',
  decimals: 6,
  coinId: 'usd-coin',
}
export const gift: SuiCoin = {
  type: `${addressOf('gift package')}::gift::GIFT`,
  symbol: 'GIFT',
  name: 'Claim at suigift.example',
  decimals: 9,
  coinId: null,
}
export const suiCoins: SuiCoin[] = [usdc, gift]
