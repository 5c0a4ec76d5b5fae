import type { ChainKind, NetworkFacts } from './networks/network.ts'
import { NETWORKS_OF_ALL } from './networks/networks-of-all.ts'

export type NetworkId = (typeof NETWORKS_OF_ALL)[number]['id']
export type Blockchain = (typeof NETWORKS_OF_ALL)[number]['blockchain']
export type { ChainKind }

export interface Network extends NetworkFacts {
  id: NetworkId
  blockchain: Blockchain
}

/** Every network that requests may name, in display order. */
export const NETWORKS: readonly Network[] = NETWORKS_OF_ALL

const byId = new Map<string, Network>(NETWORKS.map((network) => [network.id, network]))
const byBlockchain = new Map<string, Network>(NETWORKS.map((network) => [network.blockchain, network]))
const bySpelling = new Map<string, Network>(
  NETWORKS.flatMap((network) => {
    const { id, blockchain, name, names, spellings } = network
    const all = [
      id,
      blockchain,
      name.toLowerCase(),
      ...(names.coingecko ? [names.coingecko] : []),
      ...spellings,
    ]
    return all.map((spelling) => [spelling, network] as const)
  }),
)

export function isNetworkId(text: string): text is NetworkId {
  return byId.has(text)
}

export function networkWithId(id: NetworkId): Network {
  return byId.get(id)!
}

/** undefined: none of the networks that requests may name */
export function networkOfBlockchain(blockchain: string): Network | undefined {
  return byBlockchain.get(blockchain)
}

/** The network that a client names, in any spelling and case; undefined: none */
export function networkNamed(text: string): Network | undefined {
  return bySpelling.get(text.toLowerCase())
}

export function kindOfNetwork(id: NetworkId): ChainKind {
  return networkWithId(id).kind
}
