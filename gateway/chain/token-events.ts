import { type Hex, toEventSelector } from 'viem'
import type { ChainRpc } from './chain-rpc.ts'

export const USED = toEventSelector('AuthorizationUsed(address,bytes32)')
export const CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)')
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

/** As the node sends it, as far as it is read here. */
export interface Receipt {
  status: Hex
  blockNumber: Hex
  logs: { address: Hex; topics: Hex[]; data: Hex }[]
}

/** Null: the node does not know the transaction. What viem makes of a receipt takes longer than to ask for it. */
export const readReceipt = async (rpc: ChainRpc, hash: string): Promise<Receipt | null> =>
  (await rpc('eth_getTransactionReceipt', [hash])) as Receipt | null
