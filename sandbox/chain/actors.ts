import { mnemonicToAccount } from 'viem/accounts'

export type Address = `0x${string}`
export type SandboxWallet = { address: Address; label: string; activeFromDay: number; weight: number }

// anvil's test mnemonic: the keys are public, so tests may sign for these wallets.
const mnemonic = 'test test test test test test test test test test test junk'

const lower = (address: string): Address => address.toLowerCase() as Address

/** The tracked wallets: label, first day of activity, share of the activity. */
export const wallets: SandboxWallet[] = (
  [
    ['Main', 0, 3],
    ['Trader', 0, 6],
    ['Savings', 1, 1],
    ['DeFi', 3, 4],
    ['Collector', 20, 2],
    ['Daily spending', 45, 2],
    ['Treasury', 90, 1.5],
    ['Bridge user', 120, 3],
    ['Airdrop hunter', 200, 2],
    ['Late starter', 320, 2],
    ['Dormant', 0, 0.3],
    ['New', 560, 2],
  ] as const
).map(([label, activeFromDay, weight], addressIndex) => ({
  label,
  activeFromDay,
  weight,
  address: lower(mnemonicToAccount(mnemonic, { addressIndex }).address),
}))

/** Hot wallets of exchanges. They are not tracked, and their starting funds are not part of the story. */
export const exchanges: Address[] = [
  '0x28c6c06298d514db089934071355e5743bf21d60',
  '0x71660c4005ba85c37ccec55d0c4493e66fe775d3',
  '0x2910543af39aba0cd09dbb2d50200b3e800a63d2',
]

export const operator: Address = '0x0e4a000000000000000000000000000000000001'
export const arbitrageur: Address = '0xa4b0000000000000000000000000000000000001'
export const spammer: Address = '0x5ba4000000000000000000000000000000000099'
export const bridge: Address = '0x3154cf16ccdb4c6d922629664174b904d80f2c35'

/** Untracked addresses that exchange payments with the wallets. */
export const outsiders: Address[] = Array.from(
  { length: 20 },
  (_, i) => `0x0f5${(i * 7 + 16).toString(16).padStart(4, '0').repeat(9)}${(i % 10).toString()}` as Address,
)

/** Addresses of contracts that are not tokens. */
export const router: Address = '0x4077e40000000000000000000000000000000001'
export const airdrop: Address = '0xa14d400000000000000000000000000000000001'
/** The code at this address is the summary of a finished fill. */
export const marker: Address = '0x3a4ce40000000000000000000000000000000001'

/** An address with the same first and last four digits as another. */
export function lookalike(address: Address, salt: number): Address {
  const middle = (BigInt(address) * 31n + BigInt(salt) * 0x9e3779b97f4a7c15n)
    .toString(16)
    .padStart(64, '0')
    .slice(20, 52)
  return `${address.slice(0, 6)}${middle}${address.slice(-4)}` as Address
}
