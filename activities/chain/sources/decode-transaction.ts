import type { ChainBlock, ChainRange, ChainTransaction, ChainTransfer } from '../chain-data.ts'
import { decodeLog } from './decode-log.ts'
import type { RpcLog } from './decode-log.ts'
import { loggedOperation, loggedTransfer, nativeTransfers } from './native-transfers.ts'
import type { NativeContracts, RpcWithdrawal } from './native-transfers.ts'

export interface RpcTransaction {
  hash: string
  from: string
  to: string | null
  value: string
  input: string
  /** what a deposit to an OP Stack rollup credits to its sender */
  mint?: string | null
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
  withdrawals?: readonly RpcWithdrawal[] | null
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
  contracts: NativeContracts
}): { transaction: ChainTransaction; transfers: ChainTransfer[] } {
  const { receipt, block, contracts } = input
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
  const logs = receipt.logs.filter((log) => !log.removed)
  const transfers = nativeTransfers(transaction, {
    receiver: to ?? receipt.contractAddress?.toLowerCase() ?? transaction.from,
    mint: BigInt(input.transaction.mint ?? 0),
    logs,
    contracts,
  })
  const receivers = new Map<string, Set<string>>()
  for (const log of logs) {
    for (const transfer of decodeLog(log, contracts)) {
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

/** An approval or an operation belongs to the account that gives it: nothing of the other one changes. */
const involves = (accounts: Accounts, one: Pick<ChainTransfer, 'kind' | 'from' | 'to'>): boolean =>
  touches(accounts, one.kind === 'approval' || one.kind === 'operation' ? { ...one, to: null } : one)

/** The accounts that a log is about: it moves or approves something of theirs, or they operated. */
export function accountsOf(log: RpcLog, contracts: NativeContracts): string[] {
  return [
    ...loggedOperation(log, contracts).map(({ from }) => from),
    ...loggedTransfer(log, contracts).flatMap(({ from, to }) => [from, to]),
    ...decodeLog(log, contracts).flatMap(({ kind, from, to }) => (kind === 'approval' ? [from] : [from, to])),
  ]
}

/** Whether a topic of the log is one of the accounts. */
export function mentions(accounts: Accounts, log: RpcLog): boolean {
  return (
    accounts === null ||
    log.topics.slice(1).some((topic) => accounts.has(`0x${topic.slice(26).toLowerCase()}`))
  )
}

/**
 * The transfers of a transaction that involve the accounts; null when the transaction does not involve them.
 */
export function keepTouching(
  accounts: Accounts,
  decoded: { transaction: ChainTransaction; transfers: ChainTransfer[] },
): ChainTransfer[] | null {
  const transfers = decoded.transfers.filter((transfer) => involves(accounts, transfer))
  return transfers.length > 0 || touches(accounts, decoded.transaction) ? transfers : null
}

/** Adds the transaction to a range if it involves the accounts; false when it does not. */
export function takeTouching(
  range: Pick<ChainRange, 'transactions' | 'transfers'>,
  accounts: Accounts,
  decoded: { transaction: ChainTransaction; transfers: ChainTransfer[] },
): boolean {
  const transfers = keepTouching(accounts, decoded)
  if (!transfers) return false
  range.transactions.push(decoded.transaction)
  for (const transfer of transfers) range.transfers.push(transfer)
  return true
}
