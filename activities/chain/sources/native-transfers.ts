import { NOBODY, ZERO_ADDRESS } from '../chain-data.ts'
import type { ChainBlock, ChainTransaction, ChainTransfer, InternalTransfer } from '../chain-data.ts'
import { accountOf, NATIVE_LOGS, TOPICS, wordOf } from './decode-log.ts'
import type { RpcLog } from './decode-log.ts'

/** Contracts whose logs are about native coins, in lower case. */
export interface NativeContracts {
  /** contract of the wrapped native asset; its Deposit and Withdrawal change balances */
  wrapped: string | null
  /** contract that shows the native coin as a token; its Transfer events move native coins */
  nativeToken: string | null
  /** contracts that run the operations of smart accounts: anybody else may write logs of that form */
  entryPoints: readonly string[]
}

export const nativeContracts = (row: {
  wrapped_address: string | null
  native_token: string | null
  entry_points: readonly string[]
}): NativeContracts => ({
  wrapped: row.wrapped_address,
  nativeToken: row.native_token,
  entryPoints: row.entry_points,
})

/** Native transfers of a transaction: its value, what a deposit to a rollup credits, and what its logs say. */
export function nativeTransfers(
  transaction: ChainTransaction,
  facts: {
    /** who gets the value */
    receiver: string
    /** credited to the sender by a deposit to a rollup */
    mint: bigint
    logs: readonly RpcLog[]
    contracts: NativeContracts
  },
): ChainTransfer[] {
  const { from, value, success } = transaction
  const { receiver, mint, logs, contracts } = facts
  const base = { ...placeOf(transaction), item: 0, token: null, tokenId: null, fanOut: 1 }
  const transfers: ChainTransfer[] = []
  if (mint > 0n)
    transfers.push({ ...base, kind: 'mint', position: 0, from: ZERO_ADDRESS, to: from, raw: mint })
  const hasValue = success && value > 0n
  if (hasValue) transfers.push({ ...base, kind: 'native', position: 0, from, to: receiver, raw: value })
  const logged = logs.flatMap((log) => loggedTransfer(log, contracts))
  const own = hasValue
    ? logged.findIndex((one) => one.from === from && one.to === receiver && one.value === value)
    : -1
  const inside = logged.filter((_, i) => i !== own).map((one) => ({ txHash: transaction.hash, ...one }))
  transfers.push(...internalTransfers(transaction, inside))
  for (const log of logs)
    for (const operation of loggedOperation(log, contracts))
      transfers.push({ ...base, kind: 'operation', position: Number(log.logIndex), ...operation })
  return transfers
}

/** On ZKsync's chains, fees go to it and come back from it by logged transfers. They are in the receipt. */
const BOOTLOADER = '0x0000000000000000000000000000000000008001'

/** The native transfer in a log (EIP-7708, or of the contract that shows the native coin); none for other logs. */
export function loggedTransfer(
  { address, topics, data }: RpcLog,
  { nativeToken }: NativeContracts,
): { from: string; to: string; value: bigint }[] {
  const [topic, sender, receiver] = topics
  if (topic !== TOPICS.transfer || !sender || !receiver || data.length < 66) return []
  const contract = address.toLowerCase()
  if (contract !== NATIVE_LOGS && contract !== nativeToken) return []
  const [from, to] = [accountOf(sender), accountOf(receiver)]
  if (from === BOOTLOADER || to === BOOTLOADER) return []
  return [{ from, to, value: wordOf(data, 0) }]
}

/** The operation of a smart account in a log (ERC-4337), with what it costs the account; none for other logs. */
export function loggedOperation(
  { address, topics, data }: RpcLog,
  { entryPoints }: NativeContracts,
): { from: string; to: string; raw: bigint }[] {
  const [topic, , sender, paymaster] = topics
  const to = address.toLowerCase()
  if (topic !== TOPICS.operation || !sender || !paymaster || !entryPoints.includes(to)) return []
  if (data.length < 2 + 3 * 64) return []
  const raw = accountOf(paymaster) === ZERO_ADDRESS ? wordOf(data, 2) : 0n
  return [{ from: accountOf(sender), to, raw }]
}

/** A withdrawal of a validator as a header has it; `amount` in 10^9 base units. */
export interface RpcWithdrawal {
  index: string
  address: string
  amount: string
}

const GWEI = 10n ** 9n
/** Withdrawals come after all transactions of their block. */
const LAST_INDEX = 999_999

/**
 * The withdrawals of a block as one transaction without a sender, under the hash of the block; null: it has none.
 */
export function blockWithdrawals(
  block: ChainBlock,
  withdrawals: readonly RpcWithdrawal[] | null | undefined,
): { transaction: ChainTransaction; transfers: ChainTransfer[] } | null {
  if (!withdrawals || withdrawals.length === 0) return null
  const transaction: ChainTransaction = {
    hash: block.hash,
    blockNumber: block.number,
    blockHash: block.hash,
    atMs: block.atMs,
    index: LAST_INDEX,
    from: NOBODY,
    to: null,
    value: 0n,
    fee: 0n,
    success: true,
    selector: null,
  }
  const transfers = withdrawals.map(({ index, address, amount }): ChainTransfer => ({
    ...placeOf(transaction),
    kind: 'withdrawal',
    position: Number(index),
    item: 0,
    token: null,
    tokenId: null,
    from: NOBODY,
    to: address.toLowerCase(),
    raw: BigInt(amount) * GWEI,
    fanOut: 1,
  }))
  return { transaction, transfers }
}

const placeOf = ({ hash, blockNumber, blockHash, atMs }: ChainTransaction) => ({
  txHash: hash,
  blockNumber,
  blockHash,
  atMs,
})

/**
 * Transfers of the internal rows of one transaction. Two sources or two wallets must give a row the same key,
 * but explorers often omit the trace address. So the position is a hash of the content and an ordinal among
 * equal rows.
 */
export function internalTransfers(
  transaction: ChainTransaction,
  rows: readonly InternalTransfer[],
): ChainTransfer[] {
  const seen = new Map<string, number>()
  return rows.map((row) => {
    const content = `${row.from}${row.to}${row.value}`
    const ordinal = seen.get(content) ?? 0
    seen.set(content, ordinal + 1)
    return {
      txHash: row.txHash,
      kind: 'internal',
      position: hash31(`${content}#${ordinal}`),
      item: 0,
      token: null,
      tokenId: null,
      from: row.from,
      to: row.to,
      raw: row.value,
      fanOut: 1,
      blockNumber: transaction.blockNumber,
      blockHash: transaction.blockHash,
      atMs: transaction.atMs,
    }
  })
}

/** FNV-1a, cut to a non-negative `integer`. */
export function hash31(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 1
}
