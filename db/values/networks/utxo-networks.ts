import type { NetworkFacts } from './network.ts'

/**
 * What the networks that descend from Bitcoin have in common. Extended keys have the versions by which their wallets
 * export them; those of Trezor's Blockbook (`configs/coins/*.json`) are the same.
 */
const UTXO = {
  kind: 'utxo',
  chainId: null,
  wrapped: null,
  nativeToken: null,
  multicall3: null,
  blockMs: null,
  headTag: 'latest',
  unproven: [],
  publicNodes: [],
  alchemyNfts: false,
} as const satisfies Partial<NetworkFacts>

/** Networks that descend from Bitcoin, each read from a Blockbook of its own. */
export const UTXO_NETWORKS = [
  {
    ...UTXO,
    id: 'litecoin',
    blockchain: 'litecoin',
    name: 'Litecoin',
    icon: 'https://icons.llamao.fi/icons/chains/rsz_litecoin.jpg',
    coin: { id: 'litecoin', symbol: 'LTC', decimals: 8 },
    spellings: ['ltc'],
    explorerUrl: 'https://litecoinspace.org',
    history: ['litecoin-blockbook'],
    reorgDepth: 100,
    names: { coingecko: null, defillama: null, opensea: null, alchemy: null },
    utxo: {
      keyHash: 0x30,
      scriptHash: 0x32,
      segwit: 'ltc',
      cash: null,
      keys: {
        Ltub: { version: 0x019da462, script: 'key hash' },
        Mtub: { version: 0x01b26ef6, script: 'nested segwit' },
        zpub: { version: 0x04b24746, script: 'segwit' },
      },
    },
  },
  {
    ...UTXO,
    id: 'dogecoin',
    blockchain: 'dogecoin',
    name: 'Dogecoin',
    icon: 'https://icons.llamao.fi/icons/chains/rsz_doge.jpg',
    coin: { id: 'dogecoin', symbol: 'DOGE', decimals: 8 },
    spellings: ['doge'],
    explorerUrl: 'https://dogechain.info',
    history: ['dogecoin-blockbook'],
    reorgDepth: 200,
    names: { coingecko: null, defillama: null, opensea: null, alchemy: null },
    utxo: {
      keyHash: 0x1e,
      scriptHash: 0x16,
      segwit: null,
      cash: null,
      keys: { dgub: { version: 0x02facafd, script: 'key hash' } },
    },
  },
  {
    ...UTXO,
    id: 'bitcoin-cash',
    blockchain: 'bitcoin-cash',
    name: 'Bitcoin Cash',
    icon: 'https://icons.llamao.fi/icons/chains/rsz_bitcoincash.jpg',
    coin: { id: 'bitcoin-cash', symbol: 'BCH', decimals: 8 },
    spellings: ['bch', 'bcash'],
    explorerUrl: 'https://explorer.melroy.org',
    history: ['bitcoin-cash-blockbook'],
    reorgDepth: 100,
    names: { coingecko: null, defillama: null, opensea: null, alchemy: null },
    utxo: {
      keyHash: 0x00,
      scriptHash: 0x05,
      segwit: null,
      cash: 'bitcoincash',
      keys: { xpub: { version: 0x0488b21e, script: 'key hash' } },
    },
  },
] as const satisfies readonly NetworkFacts[]
