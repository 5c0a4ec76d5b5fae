import { SourceUnavailable } from '../../errors.ts'
import type { ChainBlock, ChainRange, InternalTransfer } from '../chain-data.ts'
import { decodeBlock, decodeTransaction, mentions, takeTouching } from './decode-transaction.ts'
import type { Accounts, RpcBlock, RpcReceipt, RpcTransaction } from './decode-transaction.ts'
import type { NodeWork, RpcClient } from '../../nodes/rpc.ts'
import { createBlockParts, wantedOf } from './rpc-blocks.ts'
import type { WantedReceipts } from './rpc-blocks.ts'
import { createLogReader, transactionsByLogs } from './rpc-logs.ts'
import { createTraceReader } from './rpc-traces.ts'
import { blockWithdrawals, internalTransfers } from './native-transfers.ts'
import type { NativeContracts } from './native-transfers.ts'

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
  /** What contracts sent to or from an account in the blocks; null: the node has no traces. */
  readInternals: (request: {
    numbers: readonly number[]
    account: string
  }) => Promise<InternalTransfer[] | null>
  /** Transactions by hash, with the internal rows that another source found. */
  readTransactions: (request: {
    hashes: readonly string[]
    internals: readonly InternalTransfer[]
    /** Blocks that the other source named: nodes of free plans may not have old ones. */
    blocks?: readonly ChainBlock[]
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
  clients: Readonly<Record<NodeWork, RpcClient>>
  contracts: NativeContracts
}): RpcSource {
  const { contracts, clients } = options
  const { source } = clients.heads
  const readLogs = createLogReader(clients.history)
  const ofHead = { ...createBlockParts(clients.heads), traces: createTraceReader(clients.heads) }
  const ofHistory = { ...createBlockParts(clients.history), traces: createTraceReader(clients.history) }

  async function head() {
    const [latest, finalized] = await clients.heads.send([
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getBlockByNumber', params: ['finalized', false] },
    ])
    if (!latest || 'error' in latest || latest.result === null)
      throw latest && 'error' in latest ? latest.error : new SourceUnavailable(source, 'no latest block')
    const final = finalized && 'result' in finalized ? (finalized.result as RpcBlock | null) : null
    return { block: decodeBlock(latest.result as RpcBlock), finalized: final ? Number(final.number) : 0 }
  }

  async function readBlocks(request: RangeRequest): Promise<ChainRange> {
    const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
    for (const numbers of chunks(request, BLOCKS_PER_BATCH)) {
      const { raw, blocks, found } = await readWhole(numbers, request.accounts)
      for (const block of blocks) {
        const parent = range.blocks.at(-1)
        if (parent && parent.hash !== block.parentHash)
          throw new SourceUnavailable(
            source,
            `block ${block.number} does not follow ${parent.hash}: a reorg happened during the read`,
          )
        range.blocks.push(block)
      }
      for (const one of found) take(range, request.accounts, one)
      for (const one of raw) takeWithdrawals(range, request.accounts, one)
      request.onProgress?.()
    }
    return range
  }

  /** Whole blocks with all receipts; from a node without such a method, with those that involve the accounts. */
  async function readWhole(numbers: number[], accounts: Accounts) {
    const raw = await ofHead.blocks(numbers)
    const receipts = await ofHead.allReceipts(raw)
    const traces = accounts ? await ofHead.traces(numbers) : null
    const blocks = raw.map(decodeBlock)
    if (receipts) {
      const wanted = raw.map((one) => ({ raw: one, transactions: one.transactions as RpcTransaction[] }))
      return { raw, blocks, found: joinParts({ wanted, receipts, traces }) }
    }
    const logs = await ofHead.logs(raw)
    const hashes = new Set(
      logs.filter((log) => mentions(accounts, log)).map(({ transactionHash }) => transactionHash),
    )
    const wanted = wantedOf(raw, { accounts, hashes, traces })
    return { raw, blocks, found: joinParts({ wanted, receipts: await ofHead.receipts(wanted), traces }) }
  }

  /** Adds the transaction if it involves the accounts; false when it does not. */
  function take(range: ChainRange, accounts: Accounts, found: Found): boolean {
    const decoded = decodeTransaction({ ...found, contracts })
    // Logs of native transfers are all of them: another source knows no more. Some list those of failed transactions.
    if (decoded.transaction.success && !decoded.transfers.some(({ kind }) => kind === 'internal'))
      decoded.transfers.push(...internalTransfers(decoded.transaction, found.internals))
    return takeTouching(range, accounts, decoded)
  }

  /** Adds the withdrawals of validators in the block to the accounts; false when there are none. */
  function takeWithdrawals(range: ChainRange, accounts: Accounts, raw: RpcBlock): boolean {
    const decoded = blockWithdrawals(decodeBlock(raw), raw.withdrawals)
    return decoded !== null && takeTouching(range, accounts, decoded)
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
    for await (const { raw, toBlock: readTo, found } of parts) {
      const ofBlock = Map.groupBy(found, ({ block }) => block.number)
      for (const one of raw) {
        const block = decodeBlock(one)
        const taken = (ofBlock.get(block.number) ?? []).filter((each) => take(range, accounts, each))
        if (takeWithdrawals(range, accounts, one) || taken.length > 0) range.blocks.push(block)
      }
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
  ): Promise<{ raw: RpcBlock[]; toBlock: number; found: Found[] }> {
    const [blocks, traces] = await Promise.all([ofHistory.blocks(numbers), ofHistory.traces(numbers)])
    const wanted = wantedOf(blocks, { accounts, hashes, traces })
    const receipts = await ofHistory.receipts(wanted)
    return { raw: blocks, toBlock: numbers.at(-1)!, found: joinParts({ wanted, receipts, traces }) }
  }

  function joinParts(parts: {
    wanted: readonly WantedReceipts[]
    receipts: readonly RpcReceipt[]
    traces: readonly InternalTransfer[] | null
  }): Found[] {
    const receipts = new Map(parts.receipts.map((receipt) => [receipt.transactionHash, receipt]))
    const internals = Map.groupBy(parts.traces ?? [], (row) => row.txHash)
    return parts.wanted.flatMap(({ raw, transactions }) => {
      const block = decodeBlock(raw)
      return transactions.map((transaction) => {
        const receipt = receipts.get(transaction.hash)
        if (!receipt)
          throw new SourceUnavailable(source, `the receipt of ${transaction.hash} is missing: the node lags`)
        expectBranch(receipt, block)
        return { transaction, receipt, block, internals: internals.get(transaction.hash) ?? [] }
      })
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
    const blocks = new Map((request.blocks ?? []).map((block) => [block.number, block]))
    for (let i = 0; i < request.hashes.length; i += HASHES_PER_BATCH) {
      const hashes = request.hashes.slice(i, i + HASHES_PER_BATCH)
      const answers = await clients.history.batch(
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
      const hashOf = new Map(found.map(({ receipt }) => [Number(receipt.blockNumber), receipt.blockHash]))
      const missing = [...hashOf].filter(([number, hash]) => blocks.get(number)?.hash !== hash)
      for (const block of await ofHistory.headers(missing.map(([number]) => number)))
        if (block) blocks.set(block.number, block)
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

  return {
    source,
    client: clients.wallets,
    head,
    headers: ofHead.headers,
    readBlocks,
    readSettled,
    readInternals: async ({ numbers, account }) => {
      const found = await ofHead.traces(numbers)
      return found && found.filter(({ from, to }) => from === account || to === account)
    },
    readTransactions,
  }
}

function* chunks(range: { fromBlock: number; toBlock: number }, size: number): Generator<number[]> {
  for (let at = range.fromBlock; at <= range.toBlock; at += size)
    yield Array.from({ length: Math.min(size, range.toBlock - at + 1) }, (_, i) => at + i)
}

/**
 * Yields the result of `read` for each item in order; reads the next one while the caller handles the last.
 */
async function* readAhead<Item, Result>(
  items: Iterable<Item>,
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  let ahead: Promise<Result> | null = null
  for (const item of items) {
    const next = read(item)
    // Awaited later, or never if the caller stops early: until then a failure must not be an unhandled
    // rejection.
    next.catch(() => {})
    if (ahead) yield await ahead
    ahead = next
  }
  if (ahead) yield await ahead
}
