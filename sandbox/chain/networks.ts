import type { NetworkId } from './tokens.ts'

export type SandboxNetwork = {
  id: NetworkId
  chainId: number
  /** Name of the network in CoinGecko platform maps and DefiLlama coin keys. */
  platform: 'ethereum' | 'base'
  rpcUrlVariable: 'RPC_URL_ETHEREUM' | 'RPC_URL_BASE_WALLET'
  /** Range of the base fee, in wei. */
  baseFeeWei: { low: number; high: number }
}

/** The networks that the sandbox simulates, each with one anvil. */
export const networks: SandboxNetwork[] = [
  {
    id: 'ethereum',
    chainId: 1,
    platform: 'ethereum',
    rpcUrlVariable: 'RPC_URL_ETHEREUM',
    baseFeeWei: { low: 800_000_000, high: 35_000_000_000 },
  },
  {
    id: 'base-wallet',
    chainId: 8453,
    platform: 'base',
    rpcUrlVariable: 'RPC_URL_BASE_WALLET',
    baseFeeWei: { low: 2_000_000, high: 60_000_000 },
  },
]
