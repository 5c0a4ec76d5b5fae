/**
 * Networks that requests may name: `connectionId` and its `blockchain` value. The table `networks` holds the
 * same pairs with more columns; a test compares the two.
 */
export const NETWORKS = [
  { id: 'ethereum', blockchain: 'ethereum', kind: 'evm' },
  { id: 'binancesmartchain', blockchain: 'binance_smart', kind: 'evm' },
  { id: 'base-wallet', blockchain: 'base', kind: 'evm' },
  { id: 'polygon-wallet', blockchain: 'polygon-pos', kind: 'evm' },
  { id: 'arbitrum-wallet', blockchain: 'arbitrum-one', kind: 'evm' },
  { id: 'optimism-wallet', blockchain: 'optimism', kind: 'evm' },
  { id: 'avalanche-wallet', blockchain: 'avalanche', kind: 'evm' },
  { id: 'hyperevm-wallet', blockchain: 'hyperevm', kind: 'evm' },
  { id: 'monad-wallet', blockchain: 'monad', kind: 'evm' },
  { id: 'plasma-wallet', blockchain: 'plasma', kind: 'evm' },
  { id: 'bitcoin', blockchain: 'bitcoin', kind: 'bitcoin' },
  { id: 'solana', blockchain: 'solana', kind: 'solana' },
] as const

export type NetworkId = (typeof NETWORKS)[number]['id']
export type Blockchain = (typeof NETWORKS)[number]['blockchain']
/** Decides the format of addresses, amounts and histories. */
export type ChainKind = (typeof NETWORKS)[number]['kind']

const byId = new Set<string>(NETWORKS.map(({ id }) => id))
const kindById = new Map<string, ChainKind>(NETWORKS.map(({ id, kind }) => [id, kind]))
const idByBlockchain = new Map<string, NetworkId>(NETWORKS.map(({ id, blockchain }) => [blockchain, id]))

export function isNetworkId(text: string): text is NetworkId {
  return byId.has(text)
}

export function networkOfBlockchain(text: string): NetworkId | undefined {
  return idByBlockchain.get(text)
}

export function kindOfNetwork(id: NetworkId): ChainKind {
  return kindById.get(id)!
}
