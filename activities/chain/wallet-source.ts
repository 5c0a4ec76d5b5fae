import type { TokenMetadata } from '../rpc-contracts.ts'
import type { ChainBlock, ChainRange } from './chain-data.ts'

/** Part of a wallet whose history is asked for by itself. */
export interface WalletAccount {
  account: string
  /** wallet: its own address; address: derived from an extended key; token: a token account */
  role: 'wallet' | 'address' | 'token'
  /** block up to which its history is stored */
  readBlock: number
  /** newest transaction in it; null where the source is not asked by it */
  newest: string | null
}

export interface HistoryRequest {
  /** as it was asked for: an address, or an extended key */
  address: string
  /** what is known of it so far */
  accounts: readonly WalletAccount[]
  /** block up to which everything is stored */
  cursor: number
  headBlock: number
  /** blocks up to this one do not change any more */
  settled: number
  /** read the last blocks before the cursor once more, for rows that the source had not had yet */
  lookBack: boolean
  /** where a source that pages backwards goes on */
  next: string | null
  /** Which of the transactions are stored with the wallet's rows already. */
  findStored: (hashes: readonly string[]) => Promise<ReadonlySet<string>>
  /** called after each part, for heartbeats */
  onProgress: () => void
}

export interface HistoryPart {
  /** who gave the rows */
  source: string
  range: ChainRange
  /** lowest block that rows of this part may be in */
  fromBlock: number
  /** block up to which everything is stored with this part */
  through: number
  next: string | null
  /** accounts that are new, or read further now */
  accounts: readonly WalletAccount[]
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

/**
 * Where the history and the balances of the wallets on one network come from. What a chain calls by other names is
 * brought into the same form here, so that everything behind it is one. Throws SourceUnavailable or SourceRejected.
 */
export interface WalletSource {
  name: string
  /** The newest block, and the number up to which blocks are final (0 where the source does not tell). */
  head: () => Promise<{ block: ChainBlock; finalized: number }>
  /** Blocks by number, null for one that the chain does not have; null: everything that the source gives is final. */
  headers: ((numbers: readonly number[]) => Promise<(ChainBlock | null)[]>) | null
  /** The next part of a wallet's history. */
  readHistory: (request: HistoryRequest) => Promise<HistoryPart>
  readTokens: (addresses: readonly string[]) => Promise<TokenMetadata[]>
  /** All balances as of one block. */
  readBalances: (request: BalanceRequest) => Promise<BalancesAtBlock>
}
