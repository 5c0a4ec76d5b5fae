import type { AskedBalance } from '../nodes/rpc.ts'
import type { ChainBlock, ChainRange, ChainToken } from './chain-data.ts'

/** A part of a wallet whose history is read separately. */
export interface WalletAccount {
  account: string
  /** wallet: its own address; address: of an extended key or a stake address; token: a token account */
  role: 'wallet' | 'address' | 'token'
  /** block up to which its history is stored */
  readBlock: number
  /** newest stored transaction; null if the source does not page by transaction */
  newest: string | null
  /** What the source told of it, as text that changes with its history; null: not known. Absent: as it was. */
  seen?: string | null
  /** The block as of which it told that; null: none. */
  seenBlock?: number | null
}

export interface HistoryRequest {
  /** an address or an extended key, as the user entered it */
  address: string
  /** accounts known so far */
  accounts: readonly WalletAccount[]
  /** last block up to which everything is stored */
  cursor: number
  headBlock: number
  /** last block that can no longer change */
  settled: number
  /** read the last blocks before the cursor again: a lagging source may have missed rows */
  lookBack: boolean
  /** page to resume at, for a source that pages backwards */
  next: string | null
  /** Returns those of the transactions that are already stored with the wallet's rows. */
  findStored: (hashes: readonly string[]) => Promise<ReadonlySet<string>>
  /** called after each part, for heartbeats */
  onProgress: () => void
}

export interface HistoryPart {
  /** name of the source of the rows */
  source: string
  range: ChainRange
  /** lowest block that rows of this part may be in */
  fromBlock: number
  /** block up to which everything is stored with this part */
  through: number
  next: string | null
  /** accounts that were found or read further */
  accounts: readonly WalletAccount[]
  /** why no source gives the blocks of this part; absent: it is whole */
  missing?: string
}

export interface BalanceRequest {
  address: string
  accounts: readonly WalletAccount[]
  tokens: readonly string[]
  headBlock: number
}

export interface BalancesAtBlock {
  block: ChainBlock
  native: bigint
  /** in the order of the request; null for a token that does not answer */
  tokens: (bigint | null)[]
}

export interface HoldingsRequest {
  address: string
  /** contracts to ask if the source cannot list what an address holds */
  contracts: readonly string[]
}

export interface Holdings {
  block: ChainBlock
  native: bigint
  tokens: { address: string; raw: bigint }[]
}

/**
 * Reads the history and balances of wallets on one network. Converts each chain's own terms into one common
 * form, so the code behind it is the same for all chains. Throws SourceUnavailable or SourceRejected.
 */
export interface WalletSource {
  name: string
  /** The newest block, and the number of the last final block (0 if the source does not state it). */
  head: () => Promise<{ block: ChainBlock; finalized: number }>
  /**
   * Blocks by number, null for one that the chain does not have. null: the source returns only final data.
   */
  headers: ((numbers: readonly number[]) => Promise<(ChainBlock | null)[]>) | null
  /** A part holds all of its blocks, so blocks that a follower has stored need no reading. Absent: it may lack some. */
  readsByBlock?: true
  /** Balances of an older head can be read, however long its history took. Absent: only those of the last blocks. */
  readsOldBalances?: true
  /** Whether blocks whose history no source gave may be there now. Absent: never. */
  mayFillGaps?: () => boolean
  /** The next part of a wallet's history. */
  readHistory: (request: HistoryRequest) => Promise<HistoryPart>
  readTokens: (addresses: readonly string[]) => Promise<ChainToken[]>
  /** What a wallet holds, without its history. null: the wallet is known only by its history. */
  readHoldings: (request: HoldingsRequest) => Promise<Holdings | null>
  /** All balances as of one block. */
  readBalances: (request: BalanceRequest) => Promise<BalancesAtBlock>
  /**
   * Balances of many accounts as of one block, in the order asked; null for a token that does not answer. Absent:
   * the source cannot say.
   */
  readManyBalances?: (request: {
    blockHash: string
    asked: readonly AskedBalance[]
  }) => Promise<(bigint | null)[]>
  /**
   * The balances of accounts as text that changes with them, and the block of the oldest answer. Absent: the
   * source does not tell them of many accounts at once.
   */
  readStates?: (accounts: readonly string[]) => Promise<{ block: number; states: string[] }>
  /** The token accounts of an address. */
  listAccounts?: (address: string) => Promise<string[]>
  /**
   * What contracts sent to or from an address, with the transactions. The newest blocks are looked through first if
   * the node can. `isWhole`: nothing is left out; else somebody may tell more later. null: nobody can tell. Absent:
   * the network has no such transfers.
   */
  readInternals?: (
    request: InternalsRequest,
  ) => Promise<{ source: string; range: ChainRange; isWhole: boolean } | null>
}

/** Blocks in which coins of an address may have moved unseen. */
export interface InternalsRequest {
  address: string
  fromBlock: number
  toBlock: number
}
