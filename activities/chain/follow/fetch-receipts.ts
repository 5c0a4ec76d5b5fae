import { SourceRejected } from '../../errors.ts'
import { refusalOf } from '../../nodes/rpc.ts'
import type { RpcTransaction } from '../sources/decode-transaction.ts'
import type {
  BlockFetcher,
  FollowedBlock,
  FollowedHeader,
  FollowedReceipt,
  WholeTransaction,
} from './block-data.ts'
import { blockFetcher, createHeaderReader } from './read-headers.ts'
import type { BlockSource } from './read-headers.ts'
import { IncompleteBlock, verifyBlock } from './verify-block.ts'

/** What a node must offer. */
export const RECEIPT_METHODS = ['eth_getBlockReceipts']

/**
 * Method R: a block is its header and its receipts, which the header proves. Receipts are asked for by hash,
 * so that the header decides the branch, and by number of a node that takes no hash.
 */
export function createReceiptFetcher(options: BlockSource): BlockFetcher {
  const { ask, source, unproven } = options
  const headers = createHeaderReader({ ...options, full: false })
  const wholeBlocks = createHeaderReader({ ...options, full: true })
  let takesHash = true

  async function askReceipts({ hash, number }: FollowedHeader): Promise<unknown> {
    if (takesHash)
      try {
        return await ask('eth_getBlockReceipts', [hash])
      } catch (error) {
        if (!(error instanceof SourceRejected) || refusalOf(error)?.kind === 'method') throw error
      }
    const answer = await ask('eth_getBlockReceipts', [number])
    takesHash = false
    return answer
  }

  async function fetch(header: FollowedHeader): Promise<FollowedBlock> {
    const receipts = verifyBlock({ source, header, receipts: await askReceipts(header), unproven })
    return {
      header,
      transactions: receipts,
      async read(indexes): Promise<WholeTransaction[]> {
        const transactions = await transactionsOf(header, receipts)
        return indexes.map((index) => ({ transaction: transactions[index]!, receipt: receipts[index]! }))
      },
    }
  }

  async function transactionsOf(
    { hash, number }: FollowedHeader,
    receipts: readonly FollowedReceipt[],
  ): Promise<RpcTransaction[]> {
    const found = (await wholeBlocks.byHash(hash)).transactions as RpcTransaction[]
    const isWhole = receipts.every(({ transactionHash }, i) => found[i]?.hash === transactionHash)
    if (!isWhole || found.length !== receipts.length)
      throw new IncompleteBlock(
        source,
        `block ${Number(number)} (${hash}): its transactions are not those of its receipts`,
      )
    return found
  }

  return blockFetcher(headers, fetch)
}
