import type { Blockchain } from '../values/networks.ts'

/** EVM networks whose tokens are checked. */
export const EVM_RISK_CHAINS = [
  'ethereum',
  'binance_smart',
  'polygon-pos',
  'base',
  'arbitrum-one',
  'optimism',
  'avalanche',
] as const satisfies readonly Blockchain[]

/** All checked networks. The contracts of a coin are read in this order. */
export const RISK_CHAINS = [...EVM_RISK_CHAINS, 'solana'] as const
export type RiskChain = (typeof RISK_CHAINS)[number]

/** A contract on one of these networks. EVM addresses are in lower case. */
export interface RiskToken {
  blockchain: RiskChain
  address: string
}

/**
 * Matches plain addresses: some contracts in coin lists have a name joined to the address or are no address.
 */
export const ADDRESS_PATTERN = '^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$'
