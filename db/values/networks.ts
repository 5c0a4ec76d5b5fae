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

/**
 * How else clients write a network, in any case: its name in the networks list, platforms of the coin list that
 * differ from `blockchain`, and codes of CCXT.
 */
const SPELLINGS: Record<NetworkId, readonly string[]> = {
  ethereum: ['eth', 'erc20'],
  binancesmartchain: ['bnb smart chain', 'binance-smart-chain', 'bsc', 'bep20'],
  'base-wallet': [],
  'polygon-wallet': ['polygon', 'matic'],
  'arbitrum-wallet': ['arbitrum one', 'arbitrum', 'arbone'],
  'optimism-wallet': ['op mainnet', 'optimistic-ethereum', 'op'],
  'avalanche-wallet': ['avalanche c-chain', 'avaxc'],
  'hyperevm-wallet': ['hyper'],
  'monad-wallet': [],
  'plasma-wallet': [],
  bitcoin: ['btc'],
  solana: ['sol'],
}

const byId = new Set<string>(NETWORKS.map(({ id }) => id))
const kindById = new Map<string, ChainKind>(NETWORKS.map(({ id, kind }) => [id, kind]))
const networkBySpelling = new Map<string, (typeof NETWORKS)[number]>(
  NETWORKS.flatMap((network) =>
    [network.id, network.blockchain, ...SPELLINGS[network.id]].map(
      (spelling) => [spelling, network] as const,
    ),
  ),
)

export function isNetworkId(text: string): text is NetworkId {
  return byId.has(text)
}

/** The network that a client names, in any spelling and case; undefined: none */
export function networkNamed(text: string): (typeof NETWORKS)[number] | undefined {
  return networkBySpelling.get(text.toLowerCase())
}

export function kindOfNetwork(id: NetworkId): ChainKind {
  return kindById.get(id)!
}
