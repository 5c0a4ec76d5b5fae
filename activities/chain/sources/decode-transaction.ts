import type { ChainBlock, ChainTransaction, ChainTransfer } from '../chain-data.ts'
import { decodeLog } from './decode-log.ts'
import type { RpcLog } from './decode-log.ts'

export interface RpcTransaction {
  hash: string
  from: string
  to: string | null
  value: string
  input: string
}

export interface RpcReceipt {
  transactionHash: string
  transactionIndex: string
  blockHash: string
  blockNumber: string
  contractAddress: string | null
  gasUsed: string
  effectiveGasPrice?: string
  /** additional data fee of OP Stack rollups */
  l1Fee?: string
  status?: string
  logs: RpcLog[]
}

export interface RpcBlock {
  number: string
  hash: string
  parentHash: string
  timestamp: string
  logsBloom: string
  transactions: (RpcTransaction | string)[]
}

export function decodeBlock(block: RpcBlock): ChainBlock {
  return {
    number: Number(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    atMs: Number(block.timestamp) * 1_000,
  }
}

/** Decodes a transaction and all its transfers, of any account. */
export function decodeTransaction(input: {
  transaction: RpcTransaction
  receipt: RpcReceipt
  block: ChainBlock
  wrappedAddress: string | null
}): { transaction: ChainTransaction; transfers: ChainTransfer[] } {
  const { receipt, block } = input
  const success = receipt.status !== '0x0'
  const to = input.transaction.to?.toLowerCase() ?? null
  const value = BigInt(input.transaction.value)
  const gas = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? 0)
  const transaction: ChainTransaction = {
    hash: receipt.transactionHash,
    blockNumber: block.number,
    blockHash: block.hash,
    atMs: block.atMs,
    index: Number(receipt.transactionIndex),
    from: input.transaction.from.toLowerCase(),
    to,
    value,
    fee: gas + BigInt(receipt.l1Fee ?? 0),
    success,
    selector:
      input.transaction.input.length >= 10 ? input.transaction.input.slice(0, 10).toLowerCase() : null,
  }
  const place = {
    txHash: transaction.hash,
    fanOut: 1,
    blockNumber: block.number,
    blockHash: block.hash,
    atMs: block.atMs,
  }
  const transfers: ChainTransfer[] = []
  if (success && value > 0n) {
    const receiver = to ?? receipt.contractAddress?.toLowerCase() ?? transaction.from
    const asset = { kind: 'native' as const, position: 0, item: 0, token: null, tokenId: null }
    transfers.push({ ...place, ...asset, from: transaction.from, to: receiver, raw: value })
  }
  const receivers = new Map<string, Set<string>>()
  for (const log of receipt.logs) {
    if (log.removed) continue
    for (const transfer of decodeLog(log, input.wrappedAddress)) {
      transfers.push({ ...place, ...transfer })
      if (transfer.kind === 'approval') continue
      const known = receivers.get(transfer.token)
      if (known) known.add(transfer.to)
      else receivers.set(transfer.token, new Set([transfer.to]))
    }
  }
  for (const transfer of transfers)
    if (transfer.token !== null && transfer.kind !== 'approval')
      transfer.fanOut = receivers.get(transfer.token)!.size
  return { transaction, transfers }
}

/** The accounts to read a range for; null: all. */
export type Accounts = ReadonlySet<string> | null

export function touches(accounts: Accounts, transfer: { from: string; to: string | null }): boolean {
  return (
    accounts === null || accounts.has(transfer.from) || (transfer.to !== null && accounts.has(transfer.to))
  )
}

/**
 * The transfers of a transaction that involve the accounts; null when the transaction does not involve them.
 */
export function keepTouching(
  accounts: Accounts,
  decoded: { transaction: ChainTransaction; transfers: ChainTransfer[] },
): ChainTransfer[] | null {
  const transfers = decoded.transfers.filter((transfer) => touches(accounts, transfer))
  return transfers.length > 0 || touches(accounts, decoded.transaction) ? transfers : null
}
