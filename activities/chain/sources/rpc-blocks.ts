import { SourceUnavailable } from '../../errors.ts'
import type { RpcClient } from '../../nodes/rpc.ts'
import { hexOf, refusalOf } from '../../nodes/rpc.ts'
import type { ChainBlock, InternalTransfer } from '../chain-data.ts'
import { decodeBlock, touches } from './decode-transaction.ts'
import type { RpcLog } from './decode-log.ts'
import type { Accounts, RpcBlock, RpcReceipt, RpcTransaction } from './decode-transaction.ts'

/** Transactions of a block whose receipts are wanted. */
export interface WantedReceipts {
  raw: RpcBlock
  transactions: readonly RpcTransaction[]
}

/** Reads the parts of blocks from a node. Throws SourceUnavailable where the node lags. */
export interface BlockParts {
  /** Headers by number; null for a block that the chain does not have. */
  headers: (numbers: readonly number[]) => Promise<(ChainBlock | null)[]>
  /** Blocks with their transactions. */
  blocks: (numbers: readonly number[]) => Promise<RpcBlock[]>
  /** All receipts of blocks; null: the node's plan has no such method. */
  allReceipts: (blocks: readonly RpcBlock[]) => Promise<RpcReceipt[] | null>
  /** Receipts of some transactions, by whole blocks where that is one call for many. */
  receipts: (wanted: readonly WantedReceipts[]) => Promise<RpcReceipt[]>
  /** All logs of blocks, by hash, so that they are of this branch. */
  logs: (blocks: readonly RpcBlock[]) => Promise<RpcLog[]>
}

const NO_BLOOM = /^0x0*$/

export function createBlockParts(client: RpcClient): BlockParts {
  const { source } = client

  const blockCall = (number: number, full: boolean) => ({
    method: 'eth_getBlockByNumber',
    params: [hexOf(number), full],
  })

  async function headers(numbers: readonly number[]): Promise<(ChainBlock | null)[]> {
    const blocks = await client.batch(numbers.map((number) => blockCall(number, false)))
    return (blocks as (RpcBlock | null)[]).map((block) => block && decodeBlock(block))
  }

  async function blocks(numbers: readonly number[]): Promise<RpcBlock[]> {
    const found = (await client.batch(
      numbers.map((number) => blockCall(number, true)),
    )) as (RpcBlock | null)[]
    return found.map((block, i) => {
      if (block === null) throw new SourceUnavailable(source, `block ${numbers[i]} is missing: the node lags`)
      return block
    })
  }

  async function allReceipts(of: readonly RpcBlock[]): Promise<RpcReceipt[] | null> {
    const calls = of.map((block) => ({ method: 'eth_getBlockReceipts', params: [block.number] }))
    const answers = (await client.batch(calls).catch((error: unknown) => {
      if (refusalOf(error)?.kind === 'method') return null
      throw error
    })) as (RpcReceipt[] | null)[] | null
    return answers && answers.flatMap((receipts, i) => expectAll(of[i]!, receipts))
  }

  /** A lagging node behind a load balancer returns nothing, or receipts of another branch. */
  function expectAll(block: RpcBlock, receipts: RpcReceipt[] | null): RpcReceipt[] {
    const complete = receipts?.length === block.transactions.length
    if (receipts && complete && receipts.every((receipt) => receipt.blockHash === block.hash)) return receipts
    throw new SourceUnavailable(
      source,
      `receipts of block ${Number(block.number)} do not belong to ${block.hash}`,
    )
  }

  async function receiptsByHash(hashes: readonly string[]): Promise<RpcReceipt[]> {
    const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
    const found = (await client.batch(calls)) as (RpcReceipt | null)[]
    return found.map((receipt, i) => {
      if (!receipt)
        throw new SourceUnavailable(source, `the receipt of ${hashes[i]} is missing: the node lags`)
      return receipt
    })
  }

  async function receipts(wanted: readonly WantedReceipts[]): Promise<RpcReceipt[]> {
    const { dense = [], sparse = [] } = Object.groupBy(wanted, ({ raw, transactions }) =>
      transactions.length > 1 && transactions.length * 2 >= raw.transactions.length ? 'dense' : 'sparse',
    )
    const hashesOf = (some: readonly WantedReceipts[]) =>
      some.flatMap(({ transactions }) => transactions.map(({ hash }) => hash))
    const ofDense = async () =>
      (await allReceipts(dense.map(({ raw }) => raw))) ?? (await receiptsByHash(hashesOf(dense)))
    return (await Promise.all([ofDense(), receiptsByHash(hashesOf(sparse))])).flat()
  }

  async function logs(of: readonly RpcBlock[]): Promise<RpcLog[]> {
    const calls = of.map((block) => ({ method: 'eth_getLogs', params: [{ blockHash: block.hash }] }))
    const found = (await client.batch(calls)) as RpcLog[][]
    return found.flatMap((some, i) => {
      const block = of[i]!
      // A node may have the block before its logs.
      const isEmpty = NO_BLOOM.test(block.logsBloom)
      const isWhole = some.every((log, k) => Number(log.logIndex) === k)
      if (isWhole && some.length > 0 !== isEmpty) return some
      throw new SourceUnavailable(source, `logs of block ${Number(block.number)} are missing: the node lags`)
    })
  }

  return { headers, blocks, allReceipts, receipts, logs }
}

/** The transactions of blocks that are in `hashes`, or involve the accounts directly or by internal rows. */
export function wantedOf(
  blocks: readonly RpcBlock[],
  of: { accounts: Accounts; hashes: ReadonlySet<string>; traces: readonly InternalTransfer[] | null },
): WantedReceipts[] {
  const { accounts, hashes } = of
  const moved = new Set((of.traces ?? []).filter((row) => touches(accounts, row)).map((row) => row.txHash))
  const isWanted = (transaction: RpcTransaction) =>
    hashes.has(transaction.hash) || moved.has(transaction.hash) || touches(accounts, lowerCase(transaction))
  return blocks.map((raw) => ({
    raw,
    transactions: (raw.transactions as RpcTransaction[]).filter(isWanted),
  }))
}

function lowerCase(transaction: RpcTransaction): { from: string; to: string | null } {
  return { from: transaction.from.toLowerCase(), to: transaction.to?.toLowerCase() ?? null }
}
