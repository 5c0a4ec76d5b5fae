import { SourceUnavailable } from '../../errors.ts'
import type { ChainBlock, ChainRange, InternalTransfer } from '../chain-data.ts'
import { internalTransfers } from '../internal-position.ts'
import { TOPICS } from './decode-log.ts'
import { decodeBlock, decodeTransaction } from './decode-transaction.ts'
import type { RpcBlock, RpcReceipt, RpcTransaction } from './decode-transaction.ts'
import { keepTouching, touches } from './keep-touching.ts'
import type { Accounts } from './keep-touching.ts'
import { createRpcClient } from '../../rpc-client.ts'
import type { RpcClient } from '../../rpc-client.ts'
import { createLogReader } from './rpc-logs.ts'
import type { TopicFilter } from './rpc-logs.ts'
import { createTraceReader } from './rpc-traces.ts'

export interface RangeRequest {
  fromBlock: number
  toBlock: number
  accounts: Accounts
  /** called after each part, for heartbeats */
  onProgress?: () => void
}

/** What a JSON-RPC node says of a chain. Throws SourceUnavailable (also when the node lags) or SourceRejected. */
export interface RpcSource {
  source: string
  client: RpcClient
  /** The newest block, and the number up to which blocks are final (0 where the node has no such tag). */
  head: () => Promise<{ block: ChainBlock; finalized: number }>
  /** Headers by number; null for one that the chain does not have. */
  headers: (numbers: readonly number[]) => Promise<(ChainBlock | null)[]>
  /** Whole blocks with their receipts, each linked to its parent: for the part of the chain that may still change. */
  readBlocks: (request: RangeRequest) => Promise<ChainRange>
  /** The same for settled blocks: logs by topic, and receipts of the accounts' transactions only. */
  readSettled: (request: RangeRequest & { accounts: ReadonlySet<string> }) => Promise<ChainRange>
  /** Transactions by hash, with the internal rows that another source has found. */
  readTransactions: (request: {
    hashes: readonly string[]
    internals: readonly InternalTransfer[]
    accounts: Accounts
    onProgress?: () => void
  }) => Promise<ChainRange>
}

const BLOCKS_PER_BATCH = 40
const HASHES_PER_BATCH = 200

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
      // A lagging node of a balanced pool answers with nothing, or with those of another branch.
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
            `block ${block.number} does not follow ${parent.hash}: a reorg meanwhile`,
          )
        range.blocks.push(block)
        raw.transactions.forEach((transaction, k) => {
          const full = transaction as RpcTransaction
          take(range, request.accounts, {
            ...{ transaction: full, receipt: receipts[i]![k]!, block },
            internals: byHash.get(full.hash) ?? [],
          })
        })
      })
      request.onProgress?.()
    }
    return range
  }

  function take(
    range: ChainRange,
    accounts: Accounts,
    found: {
      transaction: RpcTransaction
      receipt: RpcReceipt
      block: ChainBlock
      internals: InternalTransfer[]
    },
  ): void {
    const decoded = decodeTransaction({ ...found, wrappedAddress })
    decoded.transfers.push(...internalTransfers(decoded.transaction, found.internals))
    const transfers = keepTouching(accounts, decoded)
    if (!transfers) return
    range.transactions.push(decoded.transaction)
    for (const transfer of transfers) range.transfers.push(transfer)
  }

  async function readSettled(request: RangeRequest & { accounts: ReadonlySet<string> }): Promise<ChainRange> {
    const { fromBlock, toBlock, accounts } = request
    const hashes = new Set<string>()
    const internals: InternalTransfer[] = []
    for (const topics of topicsOf(accounts))
      for (const log of await readLogs({ fromBlock, toBlock, topics })) hashes.add(log.transactionHash)
    // Logs do not tell native transfers: the blocks have to be read.
    for (const numbers of chunks(request, BLOCKS_PER_BATCH)) {
      for (const block of await fullBlocks(numbers))
        for (const transaction of block.transactions as RpcTransaction[])
          if (touches(accounts, lowerCase(transaction))) hashes.add(transaction.hash)
      for (const row of (await readTraces(numbers)) ?? []) if (touches(accounts, row)) internals.push(row)
      request.onProgress?.()
    }
    for (const row of internals) hashes.add(row.txHash)
    return readTransactions({ ...request, hashes: [...hashes], internals })
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
        if (block?.hash !== receipt.blockHash)
          throw new SourceUnavailable(source, `receipt of ${receipt.transactionHash} is of another branch`)
        take(range, request.accounts, {
          ...{ transaction, receipt, block },
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

/** Filters that together give every log in which one of the accounts moves or allows a token. */
function topicsOf(accounts: ReadonlySet<string>): TopicFilter[] {
  const padded = [...accounts].map((account) => `0x${account.slice(2).padStart(64, '0')}`)
  const multi = [TOPICS.transferSingle, TOPICS.transferBatch]
  const first = [TOPICS.transfer, TOPICS.approval, TOPICS.approvalForAll, TOPICS.deposit, TOPICS.withdrawal]
  return [
    [first, padded],
    [TOPICS.transfer, null, padded],
    [multi, null, padded],
    [multi, null, null, padded],
  ]
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
