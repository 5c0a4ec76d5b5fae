import { readBalances, readTokenMetadata } from '../../rpc-contracts.ts'
import { SourceUnavailable } from '../../errors.ts'
import { refusalOf } from '../../rpc-refusal.ts'
import type { ChainRange } from '../chain-data.ts'
import type {
  BalanceRequest,
  HistoryPart,
  HistoryRequest,
  Holdings,
  HoldingsRequest,
  WalletSource,
} from '../wallet-source.ts'
import { createExplorerSteps } from './explorer-steps.ts'
import type { Explorer } from './explorer.ts'
import type { RpcSource } from './rpc.ts'

export interface EvmOptions {
  chainId: number
  reorgDepth: number
  rpc: RpcSource
  /** null: all blocks are read from the node */
  explorer: Explorer | null
}

const SETTLED_BLOCKS_PER_STEP = 2_000
const HEAD_BLOCKS_PER_STEP = 200

/**
 * Wallets of an EVM network. Settled blocks come from the explorer, or from the node by logs. Blocks that may
 * still change are read whole and linked by parent hash.
 */
export function createEvmSource({ chainId, reorgDepth, rpc, explorer }: EvmOptions): WalletSource {
  const steps = createExplorerSteps()

  async function readHistory(request: HistoryRequest): Promise<HistoryPart> {
    const lookBackFrom = Math.max(0, request.cursor + 1 - reorgDepth)
    const fromBlock = request.lookBack && explorer ? lookBackFrom : request.cursor + 1
    return fromBlock <= request.settled ? readSettled(request, fromBlock) : readHead(request)
  }

  async function readSettled(request: HistoryRequest, fromBlock: number): Promise<HistoryPart> {
    const { onProgress } = request
    const accounts = new Set([request.address])
    if (!explorer) {
      const toBlock = Math.min(request.settled, request.cursor + SETTLED_BLOCKS_PER_STEP)
      const { range, through } = await rpc.readSettled({ fromBlock, toBlock, accounts, onProgress })
      await addBoundary(rpc, range, through)
      return { source: rpc.source, range, fromBlock, through, next: null, accounts: [] }
    }
    const { address, settled, cursor, next } = request
    const asked = { chainId, address, fromBlock, toBlock: settled, next }
    const { source, step } = steps.rest(asked) ?? {
      source: explorer.source,
      step: await explorer.step(asked),
    }
    const part = steps.split({ address, cursor }, { source, step })
    const range = await rpc.readTransactions({ ...part, accounts, onProgress })
    const through = Math.max(cursor, part.through)
    await addBoundary(rpc, range, through)
    return { source, range, fromBlock, through, next: part.next, accounts: [] }
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
      ...(await readBalances(rpc.client, { account: address, tokens, blockHash: block.hash })),
    }
  }

  async function readHoldings({ address, contracts }: HoldingsRequest): Promise<Holdings> {
    const { block } = await rpc.head()
    const asked = { account: address, tokens: contracts, blockHash: block.hash }
    const { native, tokens } = await readBalances(rpc.client, asked)
    // A contract that does not answer is left out.
    return {
      block,
      native,
      tokens: tokens.flatMap((raw, i) => (raw === null ? [] : [{ address: contracts[i]!, raw }])),
    }
  }

  return {
    name: rpc.source,
    head: rpc.head,
    headers: rpc.headers,
    readHistory,
    readTokens: (addresses) => readTokenMetadata(rpc.client, addresses),
    readHoldings,
    readBalances: readBalancesAt,
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
