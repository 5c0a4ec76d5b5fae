/** EVM networks whose tokens are checked, by the names of coin_contracts. */
export const EVM_RISK_CHAINS = [
  'ethereum',
  'binance_smart',
  'polygon-pos',
  'base',
  'arbitrum-one',
  'optimism',
  'avalanche',
] as const

/** Every network; a coin with contracts on many is read in this order. */
export const RISK_CHAINS = [...EVM_RISK_CHAINS, 'solana'] as const
export type RiskChain = (typeof RISK_CHAINS)[number]

/** A contract on one of them; the address in lower case on EVM networks. */
export interface RiskToken {
  blockchain: RiskChain
  address: string
}

/** Of the contracts that lists of coins have, some join a name to the address, or are no address at all. */
export const ADDRESS_PATTERN = '^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$'
