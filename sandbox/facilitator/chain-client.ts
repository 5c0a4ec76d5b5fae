import { createPublicClient, defineChain, http, testActions } from 'viem'

/** Name of the chain in each version of the protocol. */
export const NETWORK = { v1: 'base', v2: 'eip155:8453' } as const

/** USDC on Base. */
export const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'

const TIMEOUT_MS = 10_000

export type ChainClient = ReturnType<typeof createChainClient>

/** Reads the sandbox chain and controls its node (anvil). Does not retry, because the payer does. */
export function createChainClient(rpcUrl: string) {
  const chain = defineChain({
    id: 8453,
    name: 'sandbox',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = http(rpcUrl, { retryCount: 0, timeout: TIMEOUT_MS })
  return createPublicClient({ chain, transport }).extend(testActions({ mode: 'anvil' }))
}
