import type { NetworkFacts } from './network.ts'

/** What networks with accounts of their own kind have in common. Their sources give final blocks alone. */
const FINAL = {
  chainId: null,
  wrapped: null,
  nativeToken: null,
  multicall3: null,
  spellings: [],
  reorgDepth: 0,
  blockMs: null,
  headTag: 'latest',
  unproven: [],
  publicNodes: [],
} as const satisfies Partial<NetworkFacts>

/** Networks with accounts, beyond EVM and Solana. */
export const ACCOUNT_NETWORKS = [
  {
    ...FINAL,
    id: 'tron',
    blockchain: 'tron',
    kind: 'tron',
    name: 'Tron',
    icon: 'https://icons.llamao.fi/icons/chains/rsz_tron.jpg',
    coin: { id: 'tron', symbol: 'TRX', decimals: 6 },
    wrapped: 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR',
    spellings: ['trx', 'trc20'],
    explorerUrl: 'https://www.oklink.com/tron',
    history: ['trongrid'],
    names: { coingecko: 'tron', defillama: 'tron', opensea: null },
  },
  {
    ...FINAL,
    id: 'xrpl',
    blockchain: 'xrp',
    kind: 'xrpl',
    name: 'XRP Ledger',
    icon: 'https://icons.llamao.fi/icons/chains/rsz_xrpl.jpg',
    coin: { id: 'ripple', symbol: 'XRP', decimals: 6 },
    spellings: ['ripple'],
    explorerUrl: 'https://xrpscan.com',
    history: ['xrpl'],
    names: { coingecko: 'xrp', defillama: null, opensea: null },
  },
] as const satisfies readonly NetworkFacts[]

/** Chains of the Cosmos SDK, each read from the REST interface of a node of its own. */
export const COSMOS_NETWORKS = [
  {
    ...FINAL,
    id: 'cosmos',
    blockchain: 'cosmos',
    kind: 'cosmos',
    name: 'Cosmos Hub',
    icon: 'https://icons.llamao.fi/icons/chains/rsz_cosmoshub.jpg',
    coin: { id: 'cosmos', symbol: 'ATOM', decimals: 6 },
    spellings: ['atom', 'cosmoshub'],
    explorerUrl: 'https://www.mintscan.io/cosmos',
    history: ['cosmos-rest'],
    names: { coingecko: 'cosmos', defillama: null, opensea: null },
    cosmos: { prefix: 'cosmos', denom: 'uatom' },
  },
  {
    ...FINAL,
    id: 'osmosis',
    blockchain: 'osmosis',
    kind: 'cosmos',
    name: 'Osmosis',
    icon: 'https://icons.llamao.fi/icons/chains/rsz_osmosis.jpg',
    coin: { id: 'osmosis', symbol: 'OSMO', decimals: 6 },
    spellings: ['osmo'],
    explorerUrl: 'https://www.mintscan.io/osmosis',
    history: ['osmosis-rest'],
    names: { coingecko: 'osmosis', defillama: null, opensea: null },
    cosmos: { prefix: 'osmo', denom: 'uosmo' },
  },
  {
    ...FINAL,
    id: 'celestia',
    blockchain: 'celestia',
    kind: 'cosmos',
    name: 'Celestia',
    icon: 'https://icons.llamao.fi/icons/chains/rsz_celestia.jpg',
    coin: { id: 'celestia', symbol: 'TIA', decimals: 6 },
    spellings: ['tia'],
    explorerUrl: 'https://www.mintscan.io/celestia',
    history: ['celestia-rest'],
    names: { coingecko: 'celestia', defillama: null, opensea: null },
    cosmos: { prefix: 'celestia', denom: 'utia' },
  },
] as const satisfies readonly NetworkFacts[]
