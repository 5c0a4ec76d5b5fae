import type pg from 'pg'
import type { BlockMark, FollowMethod } from '../../../db/chain/follows.ts'
import type { ChainBlock, ChainTransaction, ChainTransfer } from '../chain-data.ts'
import type { AddressSet } from './address-set.ts'

export interface DecodedTransaction {
  transaction: ChainTransaction
  transfers: ChainTransfer[]
}

/** A block with what may concern a wallet. */
export interface ReadBlock {
  block: ChainBlock
  match: {
    /** Addresses that the set may know. The commit drops those of no wallet. */
    addresses: ReadonlySet<string>
    /**
     * All candidates of the block, for wallets that are added later: two numbers of `lastBits` each. null: not
     * each block before it was read
     */
    candidates: Uint32Array | null
  }
  /** decoded transactions that name one of the addresses */
  decoded: DecodedTransaction[]
}

/** A wallet and an address of it that a block names. A wallet may have several. */
export interface FollowedWallet {
  walletId: string
  address: string
}

/** Wallets that the next batch covers first, and a set of their own for their addresses. */
export interface TakenUp {
  walletIds: readonly string[]
  set: AddressSet
}

export interface Confirming {
  epoch: string
  cursor: BlockMark
  /** up to here all blocks are confirmed */
  confirmed: number
  headBlock: number
}

/**
 * What the loop of a follower needs of a chain, for one attempt. Throws SourceUnavailable or SourceRejected.
 */
export interface BlockReader {
  /**
   * Fills the set with all addresses of the network's wallets, and learns which branch earlier attempts followed.
   * Called once, first.
   */
  load: () => Promise<void>
  /**
   * The newest block. What is read until the next call comes from the same node. `next`: the block that is read next;
   * null: not known. Throws the refusal of `next` if no node has it any more.
   */
  head: (next: number | null) => Promise<ChainBlock>
  /** How blocks are read until the next call of `head`. */
  method: () => FollowMethod
  /** null for a block that the chain does not have */
  headers: (numbers: readonly number[]) => Promise<(ChainBlock | null)[]>
  /** Wallets to cover from a block on, the next one to read. What is read from now on is matched for them. */
  takeUp: (from: number) => Promise<TakenUp>
  /**
   * Reads blocks from `from` up to the last head, at least one, at most a commit's: each of them, linked by
   * parent hash, or those that concern wallets and the last one. Throws ReorgDetected where `after`, the last
   * committed one, is found to be no block of the chain.
   */
  readBatch: (input: { after: BlockMark | null; from: number }) => Promise<ReadBlock[]>
  /**
   * Whether the chain of the last head replaces the cursor's block, which it does not have. Where nodes disagree,
   * their next headers may decide.
   */
  mayReplace: (cursor: BlockMark) => Promise<boolean>
  /** The last batch was committed. */
  committed: () => void
  /** Rows above a block were undone. */
  rewound: (block: number) => Promise<void>
  /** Reads committed blocks again, and matches them for the addresses of the set alone. */
  readAgain: (input: { marks: readonly BlockMark[]; set: AddressSet }) => Promise<ReadBlock[]>
  /** The covered wallets of addresses. Called in the transaction of a commit up to `throughBlock`. */
  findWallets: (
    client: pg.ClientBase,
    input: { addresses: readonly string[]; fetchedAt: Date; throughBlock: number },
  ) => Promise<FollowedWallet[]>
  /** Returns the transfers of a transaction to store for the wallets; null: it does not involve them. */
  keep: (wallets: readonly FollowedWallet[]) => (decoded: DecodedTransaction) => ChainTransfer[] | null
  /**
   * Compares settled blocks with rows once more. Returns the block up to which all are confirmed. Throws
   * SourceRejected when such a block has changed.
   */
  confirm: (input: Confirming) => Promise<number>
}
