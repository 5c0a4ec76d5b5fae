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
