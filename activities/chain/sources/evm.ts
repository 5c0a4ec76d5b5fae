import { MULTICALL3 } from '../../../db/values/networks/network.ts'
import { readManyBalances } from '../../nodes/many-balances.ts'
import { readBalances, readTokenMetadata } from '../../nodes/rpc-contracts.ts'
import { SourceUnavailable } from '../../errors.ts'
import { refusalOf } from '../../nodes/rpc.ts'
import type { ChainRange, InternalTransfer } from '../chain-data.ts'
import type { Explorers } from './explorer.ts'
import type {
  BalanceRequest,
  HistoryPart,
  HistoryRequest,
  Holdings,
  HoldingsRequest,
  InternalsRequest,
  WalletSource,
} from '../wallet-source.ts'
import { createExplorerSteps } from './explorer-steps.ts'
import type { RpcSource } from './rpc.ts'

export interface EvmOptions {
  chainId: number
  reorgDepth: number
  /** Absent: the usual address. */
  multicall3?: string
  rpc: RpcSource
  explorers: Explorers
}

const SETTLED_BLOCKS_PER_STEP = 2_000
const HEAD_BLOCKS_PER_STEP = 200
/** Blocks whose traces are read for one transfer: a wallet is touched soon after its coins move. */
const TRACED_BLOCKS = 20
/** Blocks that the node alone is asked for: it takes hours for more, and longer than wallets wait. */
const NODE_ALONE_BLOCKS = 100_000

/**
 * Wallets of an EVM network. Settled blocks come from an explorer, or from the node by logs. Blocks that may
 * still change are read whole and linked by parent hash.
 */
export function createEvmSource(options: EvmOptions): WalletSource {
  const { chainId, reorgDepth, rpc, explorers, multicall3 = MULTICALL3 } = options
  const steps = createExplorerSteps(explorers)
  const mayAsk = () => explorers.canAnswer(chainId)

  async function readHistory(request: HistoryRequest): Promise<HistoryPart> {
    const lookBackFrom = Math.max(0, request.cursor + 1 - reorgDepth)
    const fromBlock = request.lookBack && mayAsk() ? lookBackFrom : request.cursor + 1
    return fromBlock <= request.settled ? readSettled(request, fromBlock) : readHead(request)
  }

  async function readSettled(request: HistoryRequest, fromBlock: number): Promise<HistoryPart> {
    const { address, settled, next, onProgress } = request
    const asked = { chainId, address, fromBlock, toBlock: settled, next, onProgress }
    const answer = await steps.take(asked, request.cursor)
    if ('refused' in answer) return await readWithoutExplorer(request, { fromBlock, ...answer })
    const { source, part } = answer
    const range = await rpc.readTransactions({ ...part, accounts: new Set([address]), onProgress })
    const through = Math.max(request.cursor, part.through)
    await addBoundary(rpc, range, through)
    return { source, range, fromBlock, through, next: part.next, accounts: [] }
  }

  /** From the node if it can do so in reasonable time, else a part that says what is missing. */
  async function readWithoutExplorer(
    { address, cursor, settled, onProgress }: HistoryRequest,
    { fromBlock, refused, blocks }: { fromBlock: number; refused: string; blocks: number },
  ): Promise<HistoryPart> {
    const part = { source: rpc.source, fromBlock, next: null, accounts: [] }
    if (blocks > NODE_ALONE_BLOCKS) {
      const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
      await addBoundary(rpc, range, settled)
      return { ...part, range, through: settled, missing: refused }
    }
    const toBlock = Math.min(settled, fromBlock + Math.min(blocks, SETTLED_BLOCKS_PER_STEP) - 1)
    const asked = { fromBlock, toBlock, accounts: new Set([address]), onProgress }
    const { range, through } = await rpc.readSettled(asked)
    await addBoundary(rpc, range, through)
    return { ...part, range, through: Math.max(cursor, through) }
  }

  async function readHead(request: HistoryRequest): Promise<HistoryPart> {
    const { onProgress } = request
    const fromBlock = request.cursor + 1
    const through = Math.min(request.headBlock, request.cursor + HEAD_BLOCKS_PER_STEP)
    const accounts = new Set([request.address])
    const range = await rpc.readBlocks({ fromBlock, toBlock: through, accounts, onProgress })
    return { source: rpc.source, range, fromBlock, through, next: null, accounts: [] }
  }

  async function readBalancesAt({ address, tokens, headBlock }: BalanceRequest) {
    const [block] = await rpc.headers([headBlock])
    if (!block) throw new SourceUnavailable(rpc.source, `block ${headBlock} is missing`)
    return {
      block,
      ...(await readBalances(rpc.client, { account: address, tokens, block: { blockHash: block.hash } })),
    }
  }

  async function readHoldings({ address, contracts }: HoldingsRequest): Promise<Holdings> {
    const { block } = await rpc.head()
    const asked = { account: address, tokens: contracts, block: { blockHash: block.hash } }
    const { native, tokens } = await readBalances(rpc.client, asked)
    // A contract that does not answer is left out.
    return {
      block,
      native,
      tokens: tokens.flatMap((raw, i) => (raw === null ? [] : [{ address: contracts[i]!, raw }])),
    }
  }

  async function readInternals(request: InternalsRequest) {
    const { address, fromBlock, toBlock } = request
    const traced = await traceNewest(request)
    const isTraced = traced !== null && toBlock - fromBlock < TRACED_BLOCKS
    const told = isTraced ? 'unknown' : await askExplorers(request)
    if (told === 'unknown' && traced === null) return null
    const { source, hashes, internals } =
      typeof told === 'object' ? told : { source: rpc.source, hashes: [], internals: [] }
    // Of what both know, only one may be taken: rows of one transaction are told apart by their order.
    const known = new Set(internals.map(({ txHash }) => txHash))
    const newer = traced?.filter(({ txHash }) => !known.has(txHash)) ?? []
    const range = await rpc.readTransactions({
      hashes: [...new Set([...hashes, ...newer.map(({ txHash }) => txHash)])],
      internals: [...internals, ...newer],
      accounts: new Set([address]),
    })
    return { source, range, isWhole: told !== 'later' }
  }

  /** All that explorers know of the blocks; `unknown`: none of them can tell. */
  async function askExplorers(request: InternalsRequest) {
    const found = { source: '', hashes: [] as string[], internals: [] as InternalTransfer[] }
    let [fromBlock, next] = [request.fromBlock, null as string | null]
    try {
      while (mayAsk() && fromBlock <= request.toBlock) {
        const answer = await explorers.read({ ...request, chainId, fromBlock, next, onlyInternals: true })
        if ('refused' in answer) return 'unknown'
        const { step, source } = answer
        found.source = source
        found.hashes.push(...step.hashes)
        found.internals.push(...step.internals)
        ;[fromBlock, next] = [Math.max(fromBlock, step.through + 1), step.next]
      }
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error
      return 'later'
    }
    return found.source === '' ? 'unknown' : found
  }

  /** What contracts sent in the newest of the blocks; null: the node does not tell. */
  async function traceNewest({ address, fromBlock, toBlock }: InternalsRequest) {
    const first = Math.max(fromBlock, toBlock - TRACED_BLOCKS + 1)
    const numbers = Array.from({ length: toBlock - first + 1 }, (_, i) => first + i)
    return await rpc.readInternals({ numbers, account: address })
  }

  return {
    name: rpc.source,
    head: rpc.head,
    headers: rpc.headers,
    readsByBlock: true,
    mayFillGaps: mayAsk,
    readHistory,
    readTokens: (addresses) => readTokenMetadata(rpc.client, addresses),
    readHoldings,
    readBalances: readBalancesAt,
    readManyBalances: ({ blockHash, asked }) =>
      readManyBalances(rpc.client, { block: { blockHash }, asked, multicall3 }),
    readInternals,
  }
}

/**
 * Adds the block that the next range must continue. A block so old that the node does not give it is deeper
 * than any reorg.
 */
async function addBoundary(rpc: RpcSource, range: ChainRange, number: number): Promise<void> {
  if (number < 0 || range.blocks.some((block) => block.number === number)) return
  try {
    const [block] = await rpc.headers([number])
    if (block) range.blocks.push(block)
  } catch (error) {
    if (refusalOf(error)?.kind !== 'archive') throw error
  }
}
