import type { RpcBlock, RpcReceipt } from '../sources/decode-transaction.ts'

/** Asks one node. Throws SourceUnavailable or SourceRejected. */
export type AskNode = (method: string, params: readonly unknown[]) => Promise<unknown>

/** A block as a node returns it; `transactions` are hashes or whole transactions. */
export interface FollowedHeader extends RpcBlock {
  gasUsed: string
  withdrawals?: readonly { address: string }[] | null
}

export interface FollowedReceipt extends RpcReceipt {
  from: string
  to: string | null
  cumulativeGasUsed: string
  logsBloom: string
}

/** A verified block. */
export interface FollowedBlock {
  header: FollowedHeader
  receipts: readonly FollowedReceipt[]
}
