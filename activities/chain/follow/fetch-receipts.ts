import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import type { ChainBlock } from '../chain-data.ts'
import { decodeBlock } from '../sources/decode-transaction.ts'
import type { RpcTransaction } from '../sources/decode-transaction.ts'
import type { AskNode, FollowedBlock, FollowedHeader } from './block-data.ts'
import { IncompleteBlock, verifyBlock } from './verify-block.ts'
import type { BlockRule } from './verify-block.ts'

export interface ReceiptFetcher {
  /** The newest block. */
  head: () => Promise<FollowedHeader>
  /** The last final block; 0 if the node has no such tag. */
  finalized: () => Promise<number>
  /** null for a block that the node does not have. */
  header: (number: number) => Promise<FollowedHeader | null>
  headers: (numbers: readonly number[]) => Promise<(ChainBlock | null)[]>
  /** The block of a header with its receipts, verified. */
  receipts: (header: FollowedHeader) => Promise<FollowedBlock>
  /** The block by hash with its receipts, verified. */
  block: (hash: string) => Promise<FollowedBlock>
  /** The block's transactions, in the order of its receipts. */
  transactions: (block: FollowedBlock) => Promise<RpcTransaction[]>
}

const HEADERS_AT_ONCE = 10

/**
 * Method R: a block is its header and its receipts, which the header proves. Receipts are asked for by hash,
 * so that the header decides the branch, and by number of a node that takes no hash. Throws SourceUnavailable
 * or SourceRejected.
 */
export function createReceiptFetcher(options: {
  ask: AskNode
  source: string
  headTag: string
  unproven: ReadonlySet<BlockRule>
}): ReceiptFetcher {
  const { ask, source, headTag, unproven } = options
  let takesHash = true

  async function header(at: number | string): Promise<FollowedHeader | null> {
    const key = typeof at === 'number' ? hex(at) : at
    return (await ask('eth_getBlockByNumber', [key, false])) as FollowedHeader | null
  }

  async function head(): Promise<FollowedHeader> {
    const found = await header(headTag)
    if (!found) throw new SourceUnavailable(source, `no ${headTag} block`)
    return found
  }

  async function finalized(): Promise<number> {
    try {
      return Number((await header('finalized'))?.number ?? 0)
    } catch (error) {
      if (error instanceof SourceRejected) return 0
      throw error
    }
  }

  async function headers(numbers: readonly number[]): Promise<(ChainBlock | null)[]> {
    const found: (ChainBlock | null)[] = []
    for (let i = 0; i < numbers.length; i += HEADERS_AT_ONCE) {
      const part = await Promise.all(numbers.slice(i, i + HEADERS_AT_ONCE).map(header))
      found.push(...part.map((one) => one && decodeBlock(one)))
    }
    return found
  }

  async function askReceipts({ hash, number }: FollowedHeader): Promise<unknown> {
    if (takesHash)
      try {
        return await ask('eth_getBlockReceipts', [hash])
      } catch (error) {
        if (!(error instanceof SourceRejected)) throw error
      }
    const answer = await ask('eth_getBlockReceipts', [number])
    takesHash = false
    return answer
  }

  async function receipts(of: FollowedHeader): Promise<FollowedBlock> {
    return {
      header: of,
      receipts: verifyBlock({ source, header: of, receipts: await askReceipts(of), unproven }),
    }
  }

  async function byHash(hash: string, full: boolean): Promise<FollowedHeader> {
    const found = (await ask('eth_getBlockByHash', [hash, full])) as FollowedHeader | null
    if (found?.hash !== hash) throw new SourceUnavailable(source, `block ${hash} is missing: the node lags`)
    return found
  }

  async function transactions(block: FollowedBlock): Promise<RpcTransaction[]> {
    const { hash, number } = block.header
    const found = (await byHash(hash, true)).transactions as RpcTransaction[]
    const isWhole = block.receipts.every(({ transactionHash }, i) => found[i]?.hash === transactionHash)
    if (!isWhole || found.length !== block.receipts.length)
      throw new IncompleteBlock(
        source,
        `block ${Number(number)} (${hash}): its transactions are not those of its receipts`,
      )
    return found
  }

  return {
    head,
    finalized,
    header,
    headers,
    receipts,
    block: async (hash) => receipts(await byHash(hash, false)),
    transactions,
  }
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}
