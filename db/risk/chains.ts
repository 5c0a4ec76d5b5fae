/** Networks whose tokens are checked, by the names of coin_contracts; a coin with contracts on many is read in this order. */
export const RISK_CHAINS = [
  'ethereum',
  'binance_smart',
  'polygon-pos',
  'base',
  'arbitrum-one',
  'optimism',
  'avalanche',
] as const
export type RiskChain = (typeof RISK_CHAINS)[number]

/** A contract on one of them, the address in lower case. */
export interface RiskToken {
  blockchain: RiskChain
  address: string
}
