/** What the addresses of an extended public key pay to: BIP 44, BIP 49 and BIP 84. */
export type KeyScript = 'key hash' | 'nested segwit' | 'segwit'

/** How Bitcoin, or a network that descends from it, writes addresses and extended public keys. */
export interface UtxoFormats {
  /** version bytes of base58 addresses that pay to a key, and to a script */
  keyHash: number
  scriptHash: number
  /** how segwit addresses begin. null: the network has none */
  segwit: string | null
  /** prefix of addresses in CashAddr, which are then the only form. null: the network has none */
  cash: string | null
  /** the version bytes of extended public keys by their first four letters (SLIP-132) */
  keys: Readonly<Record<string, { version: number; script: KeyScript }>>
}

export const BITCOIN_FORMATS: UtxoFormats = {
  keyHash: 0x00,
  scriptHash: 0x05,
  segwit: 'bc',
  cash: null,
  keys: {
    xpub: { version: 0x0488b21e, script: 'key hash' },
    ypub: { version: 0x049d7cb2, script: 'nested segwit' },
    zpub: { version: 0x04b24746, script: 'segwit' },
  },
}

/** Decides the format of addresses, amounts and histories. utxo: descends from Bitcoin; cosmos: of the Cosmos SDK */
export type ChainKind =
  | 'evm'
  | 'bitcoin'
  | 'solana'
  | 'utxo'
  | 'tron'
  | 'xrpl'
  | 'cosmos'
  | 'sui'
  | 'ton'
  | 'cardano'

/** Finds the transactions of a wallet: an explorer, or a service that has whole histories. */
export type HistorySource =
  | ('etherscan' | 'blockscout' | 'routescan' | 'alchemy-transfers')
  | ('esplora' | 'litecoin-blockbook' | 'dogecoin-blockbook' | 'bitcoin-cash-blockbook')
  | ('solana' | 'trongrid' | 'xrpl')
  | ('cosmos-rest' | 'osmosis-rest' | 'celestia-rest')
  | ('sui-graphql' | 'toncenter' | 'koios')

/**
 * All that any part of the service knows of a network. Migrations fill the table `networks` with the facts that SQL
 * needs: `db/chain/print-networks.ts`.
 */
export interface NetworkFacts {
  /** `connectionId` of requests. */
  id: string
  /** `blockchain` of requests, and the platform of a contract in `coin_contracts`. */
  blockchain: string
  kind: ChainKind
  name: string
  icon: string
  /** EIP-155, also the id at Etherscan, Blockscout, Routescan and GoPlus. null: not an EVM network */
  chainId: number | null
  /** The native asset. `id`: the coin of `coins` whose price it has */
  coin: { id: string; symbol: string; decimals: number }
  /** Contract whose Deposit and Withdrawal events change balances without a Transfer. */
  wrapped: string | null
  /**
   * Contract that shows the native coin as a token: its balances are the native ones, and its Transfer events move
   * native coins.
   */
  nativeToken: string | null
  /** Multicall3, which answers many reads in one call. */
  multicall3: string | null
  /**
   * How else clients write it, in lower case: codes of CCXT and of exchanges. Its name and its platform at CoinGecko are
   * accepted too.
   */
  spellings: readonly string[]
  /** Site with a page for each transaction under `/tx/`, without a slash at the end. */
  explorerUrl: string
  /** Asked for histories in this order, as far as they are configured. */
  history: readonly HistorySource[]
  /** Blocks that lie deeper are final. */
  reorgDepth: number
  /** Usual time between two blocks. null: its head cannot be followed, because nobody has checked its blocks */
  blockMs: number | null
  /** The tag by which the follower reads the head. */
  headTag: 'latest' | 'safe'
  /** Rules of completeness that the chain breaks by design: activities/chain/follow/verify-block.ts. */
  unproven: readonly ('gas' | 'bloom' | 'logs')[]
  /**
   * Nodes that answer without a key, of different operators and in the order in which they are asked. None has old
   * blocks for sure. From the public list of DefiLlama/chainlist of 2026-08-22.
   */
  publicNodes: readonly string[]
  /** Its names elsewhere. null: unknown there. GoPlus knows networks by `chainId`. */
  names: {
    coingecko: string | null
    defillama: string | null
    opensea: string | null
    alchemy: string | null
  }
  /** Whether Alchemy's NFT API has it, if Alchemy does. */
  alchemyNfts: boolean
  /** Formats of addresses and extended keys. Absent: neither Bitcoin nor a network that descends from it */
  utxo?: UtxoFormats
  /** Prefix of addresses, and denomination of the coin that pays fees and is staked. Absent: not of the Cosmos SDK */
  cosmos?: { prefix: string; denom: string }
}

/** The same address on nearly every EVM network: https://github.com/mds1/multicall3 */
export const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'

/** The native coin of most rollups. */
export const ETHER = { id: 'ethereum', symbol: 'ETH', decimals: 18 } as const

/** Wrapped ether of the OP Stack, the same on each of its chains. */
export const OP_WETH = '0x4200000000000000000000000000000000000006'

/** What most EVM networks have in common. */
export const EVM = {
  kind: 'evm',
  nativeToken: null,
  multicall3: MULTICALL3,
  spellings: [],
  blockMs: null,
  headTag: 'latest',
  unproven: [],
  alchemyNfts: true,
} as const satisfies Partial<NetworkFacts>
