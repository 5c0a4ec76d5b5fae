import type { RpcLog } from '../sources/decode-log.ts'
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../sources/decode-transaction.ts'

/** Asks one node. Throws SourceUnavailable or SourceRejected. */
export type AskNode = (method: string, params: readonly unknown[]) => Promise<unknown>

/** A block as a node returns it; `transactions` are hashes or whole transactions. */
export interface FollowedHeader extends RpcBlock {
  gasUsed: string
}

export interface FollowedReceipt extends RpcReceipt {
  from: string
  to: string | null
  cumulativeGasUsed: string
  logsBloom: string
}

/** What a transaction names that may be a wallet. */
export interface SeenTransaction {
  from: string
  to: string | null
  contractAddress: string | null
  logs: readonly RpcLog[]
}

export interface WholeTransaction {
  transaction: RpcTransaction
  receipt: RpcReceipt
}

/** A block that the node's answers prove to be complete. */
export interface FollowedBlock {
  header: FollowedHeader
  /** all of them, in their order */
  transactions: readonly SeenTransaction[]
  /** Reads those with the indexes. */
  read: (indexes: readonly number[]) => Promise<WholeTransaction[]>
}

/** How the blocks of a node are read. Throws SourceUnavailable or SourceRejected. */
export interface BlockFetcher {
  /** The newest block. */
  head: () => Promise<FollowedHeader>
  /** null for a block that the node does not have. */
  header: (number: number) => Promise<FollowedHeader | null>
  /** The block of a header, verified. */
  fetch: (header: FollowedHeader) => Promise<FollowedBlock>
  /** The block by hash, verified. */
  block: (hash: string) => Promise<FollowedBlock>
}
