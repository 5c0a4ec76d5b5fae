import { SourceUnavailable } from '../../errors.ts'
import type { ChainBlock, ChainRange, InternalTransfer } from '../chain-data.ts'
import { decodeBlock, decodeTransaction, keepTouching, touches } from './decode-transaction.ts'
import type { Accounts, RpcBlock, RpcReceipt, RpcTransaction } from './decode-transaction.ts'
import { createRpcClient } from '../../rpc-client.ts'
import type { RpcClient } from '../../rpc-client.ts'
import { readAhead } from './read-ahead.ts'
import { createLogReader, transactionsByLogs } from './rpc-logs.ts'
import { createTraceReader, internalTransfers } from './rpc-traces.ts'

export interface RangeRequest {
  fromBlock: number
  toBlock: number
  accounts: Accounts
  /** called after each part, for heartbeats */
  onProgress?: () => void
}

/**
 * Reads a chain from a JSON-RPC node. Throws SourceUnavailable (also when the node lags) or SourceRejected.
 */
export interface RpcSource {
  source: string
  client: RpcClient
  /** The newest block, and the number of the last final block (0 if the node has no such tag). */
  head: () => Promise<{ block: ChainBlock; finalized: number }>
  /** Headers by number; null for a block that the chain does not have. */
  headers: (numbers: readonly number[]) => Promise<(ChainBlock | null)[]>
  /** Whole blocks with their receipts, each linked to its parent. For blocks that may still change. */
  readBlocks: (request: RangeRequest) => Promise<ChainRange>
  /**
   * The same for settled blocks, by topics of logs and receipts of the accounts' transactions only. Stops
   * before `toBlock` when there are many rows, which bounds memory; `through` is the last block read.
   */
  readSettled: (
    request: RangeRequest & { accounts: ReadonlySet<string> },
  ) => Promise<{ range: ChainRange; through: number }>
  /** Transactions by hash, with the internal rows that another source found. */
  readTransactions: (request: {
    hashes: readonly string[]
    internals: readonly InternalTransfer[]
    accounts: Accounts
    onProgress?: () => void
  }) => Promise<ChainRange>
}

/** A transaction with its receipt, block and internal rows. */
interface Found {
  transaction: RpcTransaction
  receipt: RpcReceipt
  block: ChainBlock
  internals: InternalTransfer[]
}

const BLOCKS_PER_BATCH = 40
const HASHES_PER_BATCH = 200
/** A part of settled history ends after this number of rows. */
const ROWS_PER_STEP = 20_000

export function createRpcSource(options: {
  url: string
  networkId: string
  /** contract of the wrapped native asset */
  wrappedAddress: string | null
}): RpcSource {
  const { wrappedAddress } = options
  const source = `rpc:${options.networkId}`
  const client = createRpcClient({ url: options.url, source })
  const readLogs = createLogReader(client)
  const readTraces = createTraceReader(client)

  const blockCall = (number: number, full: boolean) => ({
    method: 'eth_getBlockByNumber',
    params: [hex(number), full],
  })

  async function headers(numbers: readonly number[]): Promise<(ChainBlock | null)[]> {
    const blocks = await client.batch(numbers.map((number) => blockCall(number, false)))
    return (blocks as (RpcBlock | null)[]).map((block) => block && decodeBlock(block))
  }

  async function head() {
    const [latest, finalized] = await client.send([
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getBlockByNumber', params: ['finalized', false] },
    ])
    if (!latest || 'error' in latest || latest.result === null)
      throw latest && 'error' in latest ? latest.error : new SourceUnavailable(source, 'no latest block')
    const final = finalized && 'result' in finalized ? (finalized.result as RpcBlock | null) : null
    return { block: decodeBlock(latest.result as RpcBlock), finalized: final ? Number(final.number) : 0 }
  }

  async function fullBlocks(numbers: readonly number[]): Promise<RpcBlock[]> {
    const blocks = (await client.batch(
      numbers.map((number) => blockCall(number, true)),
    )) as (RpcBlock | null)[]
    return blocks.map((block, i) => {
      if (block === null) throw new SourceUnavailable(source, `block ${numbers[i]} is missing: the node lags`)
      return block
    })
  }

  async function receiptsOf(blocks: readonly RpcBlock[]): Promise<RpcReceipt[][]> {
    const calls = blocks.map((block) => ({ method: 'eth_getBlockReceipts', params: [block.number] }))
    const answers = (await client.batch(calls)) as (RpcReceipt[] | null)[]
    return answers.map((receipts, i) => {
      const block = blocks[i]!
      // A lagging node behind a load balancer returns nothing, or receipts of another branch.
      const complete = receipts?.length === block.transactions.length
      if (!receipts || !complete || receipts.some((receipt) => receipt.blockHash !== block.hash))
        throw new SourceUnavailable(
          source,
          `receipts of block ${Number(block.number)} do not belong to ${block.hash}`,
        )
      return receipts
    })
  }

  async function readBlocks(request: RangeRequest): Promise<ChainRange> {
    const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
    for (const numbers of chunks(request, BLOCKS_PER_BATCH)) {
      const blocks = await fullBlocks(numbers)
      const receipts = await receiptsOf(blocks)
      const internals = request.accounts ? await readTraces(numbers) : null
      const byHash = Map.groupBy(internals ?? [], (row) => row.txHash)
      blocks.forEach((raw, i) => {
        const block = decodeBlock(raw)
        const parent = range.blocks.at(-1)
        if (parent && parent.hash !== block.parentHash)
          throw new SourceUnavailable(
            source,
            `block ${block.number} does not follow ${parent.hash}: a reorg happened during the read`,
          )
        range.blocks.push(block)
        raw.transactions.forEach((transaction, k) => {
          const full = transaction as RpcTransaction
          take(range, request.accounts, {
            transaction: full,
            receipt: receipts[i]![k]!,
            block,
            internals: byHash.get(full.hash) ?? [],
          })
        })
      })
      request.onProgress?.()
    }
    return range
  }

  /** Adds the transaction if it involves the accounts; false when it does not. */
  function take(range: ChainRange, accounts: Accounts, found: Found): boolean {
    const decoded = decodeTransaction({ ...found, wrappedAddress })
    decoded.transfers.push(...internalTransfers(decoded.transaction, found.internals))
    const transfers = keepTouching(accounts, decoded)
    if (!transfers) return false
    range.transactions.push(decoded.transaction)
    for (const transfer of transfers) range.transfers.push(transfer)
    return true
  }

  async function readSettled(
    request: RangeRequest & { accounts: ReadonlySet<string> },
  ): Promise<{ range: ChainRange; through: number }> {
    const { fromBlock, accounts } = request
    const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
    const { hashes, toBlock } = await transactionsByLogs({ ...request, readLogs, enough: ROWS_PER_STEP })
    let through = fromBlock - 1
    // Native transfers have no logs, so the blocks must be read.
    const parts = readAhead(chunks({ fromBlock, toBlock }, BLOCKS_PER_BATCH), (numbers) =>
      readPart(numbers, { accounts, hashes }),
    )
    for await (const { toBlock: readTo, found } of parts) {
      for (const one of found)
        if (take(range, accounts, one) && range.blocks.at(-1)?.number !== one.block.number)
          range.blocks.push(one.block)
      request.onProgress?.()
      through = readTo
      if (range.transfers.length >= ROWS_PER_STEP) break
    }
    return { range, through }
  }

  /**
   * The transactions of blocks that are in `hashes`, or involve the accounts directly or by internal rows.
   */
  async function readPart(
    numbers: number[],
    { accounts, hashes }: { accounts: ReadonlySet<string>; hashes: ReadonlySet<string> },
  ): Promise<{ toBlock: number; found: Found[] }> {
    const [blocks, traces] = await Promise.all([fullBlocks(numbers), readTraces(numbers)])
    const internals = Map.groupBy(traces ?? [], (row) => row.txHash)
    const isWanted = (transaction: RpcTransaction) =>
      hashes.has(transaction.hash) ||
      touches(accounts, lowerCase(transaction)) ||
      internals.get(transaction.hash)?.some((row) => touches(accounts, row))
    const wanted = blocks.map((raw) => ({
      raw,
      transactions: (raw.transactions as RpcTransaction[]).filter(isWanted),
    }))
    const receipts = await receiptsFor(wanted)
    const found = wanted.flatMap(({ raw, transactions }) => {
      const block = decodeBlock(raw)
      return transactions.map((transaction) => {
        const receipt = receipts.get(transaction.hash)
        if (!receipt)
          throw new SourceUnavailable(source, `the receipt of ${transaction.hash} is missing: the node lags`)
        expectBranch(receipt, block)
        return { transaction, receipt, block, internals: internals.get(transaction.hash) ?? [] }
      })
    })
    return { toBlock: numbers.at(-1)!, found }
  }

  /** Receipts by hash. Reads a whole block's receipts in one call when at least half of them are wanted. */
  async function receiptsFor(
    wanted: readonly { raw: RpcBlock; transactions: readonly RpcTransaction[] }[],
  ): Promise<Map<string, RpcReceipt>> {
    const { dense = [], sparse = [] } = Object.groupBy(wanted, ({ raw, transactions }) =>
      transactions.length > 1 && transactions.length * 2 >= raw.transactions.length ? 'dense' : 'sparse',
    )
    const found = await Promise.all([
      receiptsOf(dense.map(({ raw }) => raw)),
      receiptsByHash(sparse.flatMap(({ transactions }) => transactions.map(({ hash }) => hash))),
    ])
    return new Map(found.flat(2).map((receipt) => [receipt.transactionHash, receipt]))
  }

  async function receiptsByHash(hashes: readonly string[]): Promise<RpcReceipt[]> {
    const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
    const receipts = (await client.batch(calls)) as (RpcReceipt | null)[]
    return receipts.map((receipt, i) => {
      if (!receipt)
        throw new SourceUnavailable(source, `the receipt of ${hashes[i]} is missing: the node lags`)
      return receipt
    })
  }

  function expectBranch(receipt: RpcReceipt, block: ChainBlock | undefined): asserts block is ChainBlock {
    if (block?.hash !== receipt.blockHash)
      throw new SourceUnavailable(source, `the receipt of ${receipt.transactionHash} is from another branch`)
  }

  async function readTransactions(
    request: Parameters<RpcSource['readTransactions']>[0],
  ): Promise<ChainRange> {
    const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
    const byHash = Map.groupBy(request.internals, (row) => row.txHash)
    const blocks = new Map<number, ChainBlock>()
    for (let i = 0; i < request.hashes.length; i += HASHES_PER_BATCH) {
      const hashes = request.hashes.slice(i, i + HASHES_PER_BATCH)
      const answers = await client.batch(
        hashes.flatMap((hash) => [
          { method: 'eth_getTransactionByHash', params: [hash] },
          { method: 'eth_getTransactionReceipt', params: [hash] },
        ]),
      )
      const found = hashes.map((hash, k) => {
        const transaction = answers[2 * k] as RpcTransaction | null
        const receipt = answers[2 * k + 1] as RpcReceipt | null
        if (!transaction || !receipt)
          throw new SourceUnavailable(source, `transaction ${hash} is missing: the node lags`)
        return { transaction, receipt }
      })
      const numbers = new Set(found.map(({ receipt }) => Number(receipt.blockNumber)))
      const missing = [...numbers].filter((number) => !blocks.has(number))
      for (const block of await headers(missing)) if (block) blocks.set(block.number, block)
      for (const { transaction, receipt } of found) {
        const block = blocks.get(Number(receipt.blockNumber))
        expectBranch(receipt, block)
        take(range, request.accounts, {
          transaction,
          receipt,
          block,
          internals: byHash.get(transaction.hash) ?? [],
        })
      }
      request.onProgress?.()
    }
    const used = new Set(range.transactions.map((transaction) => transaction.blockNumber))
    range.blocks = [...blocks.values()].filter((block) => used.has(block.number))
    return range
  }

  return { source, client, head, headers, readBlocks, readSettled, readTransactions }
}

function* chunks(range: { fromBlock: number; toBlock: number }, size: number): Generator<number[]> {
  for (let at = range.fromBlock; at <= range.toBlock; at += size)
    yield Array.from({ length: Math.min(size, range.toBlock - at + 1) }, (_, i) => at + i)
}

function lowerCase(transaction: RpcTransaction): { from: string; to: string | null } {
  return { from: transaction.from.toLowerCase(), to: transaction.to?.toLowerCase() ?? null }
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}
