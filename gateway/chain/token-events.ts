import { type Hex, toEventSelector } from 'viem'
import type { ChainRpc } from './chain-rpc.ts'

export const USED = toEventSelector('AuthorizationUsed(address,bytes32)')
export const CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)')
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

/** The fields of the node's receipt that are used here. */
export interface Receipt {
  status: Hex
  blockNumber: Hex
  logs: { address: Hex; topics: Hex[]; data: Hex }[]
}

/**
 * null: the node does not know the transaction. Not through viem: formatting a receipt takes longer than the
 * call.
 */
export const readReceipt = async (rpc: ChainRpc, hash: string): Promise<Receipt | null> =>
  (await rpc('eth_getTransactionReceipt', [hash])) as Receipt | null
