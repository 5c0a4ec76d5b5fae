/**
 * Networks that requests may name: `connectionId` and its `blockchain` value. The table `networks` holds the same pairs
 * with the rest of what is known about them; a test compares the two.
 */
export const NETWORKS = [
  { id: 'ethereum', blockchain: 'ethereum' },
  { id: 'binancesmartchain', blockchain: 'binance_smart' },
  { id: 'base-wallet', blockchain: 'base' },
  { id: 'polygon-wallet', blockchain: 'polygon-pos' },
  { id: 'arbitrum-wallet', blockchain: 'arbitrum-one' },
  { id: 'optimism-wallet', blockchain: 'optimism' },
  { id: 'avalanche-wallet', blockchain: 'avalanche' },
  { id: 'hyperevm-wallet', blockchain: 'hyperevm' },
  { id: 'monad-wallet', blockchain: 'monad' },
  { id: 'plasma-wallet', blockchain: 'plasma' },
] as const

export type NetworkId = (typeof NETWORKS)[number]['id']
export type Blockchain = (typeof NETWORKS)[number]['blockchain']

const byId = new Set<string>(NETWORKS.map(({ id }) => id))
const idByBlockchain = new Map<string, NetworkId>(NETWORKS.map(({ id, blockchain }) => [blockchain, id]))

export function isNetworkId(text: string): text is NetworkId {
  return byId.has(text)
}

export function networkOfBlockchain(text: string): NetworkId | undefined {
  return idByBlockchain.get(text)
}
