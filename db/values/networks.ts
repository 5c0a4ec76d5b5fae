import { ACCOUNT_NETWORKS, COSMOS_NETWORKS } from './networks/account-networks.ts'
import { CHAINS_OF_THEIR_OWN } from './networks/chains-of-their-own.ts'
import type { ChainKind, NetworkFacts } from './networks/network.ts'
import { NETWORKS_OF_ALL } from './networks/networks-of-all.ts'
import { OP_STACK } from './networks/op-stack.ts'
import { OTHER_ROLLUPS } from './networks/other-rollups.ts'
import { UTXO_NETWORKS } from './networks/utxo-networks.ts'

const OTHERS = [
  ...OP_STACK,
  ...OTHER_ROLLUPS,
  ...CHAINS_OF_THEIR_OWN,
  ...UTXO_NETWORKS,
  ...ACCOUNT_NETWORKS,
  ...COSMOS_NETWORKS,
]
type Row = (typeof NETWORKS_OF_ALL)[number] | (typeof OTHERS)[number]

export type NetworkId = Row['id']
export type Blockchain = Row['blockchain']
export type { ChainKind }

export interface Network extends NetworkFacts {
  id: NetworkId
  blockchain: Blockchain
  /** Whether `all` covers it. The others are read only where the operator and the client name them. */
  inAll: boolean
}

/** Every network that requests may name, in display order. */
export const NETWORKS: readonly Network[] = [
  ...NETWORKS_OF_ALL.map((network) => ({ ...network, inAll: true })),
  ...OTHERS.map((network) => ({ ...network, inAll: false })),
]

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
