import { SourceRejected } from '../../errors.ts'
import type { InternalTransfer } from '../chain-data.ts'

/**
 * One step through the history of an account. The explorer only finds the transactions. Their content is read
 * from the node by hash, so log indexes, fees and block hashes are the chain's own even if the explorer omits
 * them.
 */
export interface ExplorerStep {
  hashes: string[]
  internals: InternalTransfer[]
  /** All blocks of the request up to this one are complete; `fromBlock - 1`: none is. */
  through: number
  /** Page where the next step of the same request resumes; null: it resumes after `through`. */
  next: string | null
}

export interface ExplorerRequest {
  chainId: number
  address: string
  fromBlock: number
  toBlock: number
  next: string | null
}

/** The first block of the request holds more rows than the explorer gives. */
export class BlockTooFull extends SourceRejected {}

export interface Explorer {
  source: string
  step: (request: ExplorerRequest) => Promise<ExplorerStep>
}
