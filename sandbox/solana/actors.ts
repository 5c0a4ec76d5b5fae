import { keyOf } from './tokens.ts'

export type SolanaWallet = {
  address: string
  label: string
  /** Share of the activity. */
  weight: number
}

/** The tracked wallets. */
export const solanaWallets: SolanaWallet[] = [
  { address: keyOf('trader'), label: 'Trader', weight: 5 },
  { address: keyOf('holder'), label: 'Holder', weight: 1.5 },
  { address: keyOf('spender'), label: 'Spender', weight: 2 },
]

/** Holds positions in protocols of staking, and nothing happens to it otherwise. */
export const staker: string = keyOf('staker')

/** Provides liquidity and lends, and nothing happens to it otherwise. */
export const provider: string = keyOf('provider')

export const exchange = keyOf('exchange')
export const pool = keyOf('pool')
export const sponsor = keyOf('sponsor')
export const spammer = keyOf('spammer')
export const outsiders: string[] = Array.from({ length: 25 }, (_, i) => keyOf(`outsider ${i}`))
export const systemProgram = '11111111111111111111111111111111'
