import type { InternalTransfer } from '../chain-data.ts'

/**
 * One step through the history of an account. An explorer finds the transactions; what they did is read from the node
 * by hash, so that log indexes, fees and block hashes are the chain's own whatever the explorer leaves out.
 */
export interface ExplorerStep {
  hashes: string[]
  internals: InternalTransfer[]
  /** All blocks of the request up to this one are complete now; `fromBlock - 1` while none is. */
  through: number
  /** Where the next step of the same request goes on; null: by `through` alone. */
  next: string | null
}

export interface ExplorerRequest {
  chainId: number
  address: string
  fromBlock: number
  toBlock: number
  next: string | null
}

export interface Explorer {
  source: string
  step: (request: ExplorerRequest) => Promise<ExplorerStep>
}
