/** The token of payments: USDC on Base. Payers sign its EIP-712 domain. */
export const TOKEN = {
  chainId: 8_453,
  address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  name: 'USD Coin',
  version: '2',
} as const

/** Name of the chain in protocol version 2 (CAIP-2) and version 1. */
export const NETWORK = { v2: 'eip155:8453', v1: 'base' } as const
