import { getContractAddress } from 'viem'
import type { Hex } from 'viem'
import { SourceUnavailable } from '../../errors.ts'
import type { RpcLog } from '../sources/decode-log.ts'
import type { RpcReceipt, RpcTransaction } from '../sources/decode-transaction.ts'
import type { BlockFetcher, FollowedBlock, FollowedHeader, WholeTransaction } from './block-data.ts'
import { blockFetcher, createHeaderReader } from './read-headers.ts'
import type { BlockSource } from './read-headers.ts'
import { IncompleteBlock, verifyLogs } from './verify-block.ts'

/** What a node must offer. */
export const LOG_METHODS = ['eth_getLogs', 'eth_getTransactionReceipt']

/**
 * Method L, for nodes that refuse receipts of blocks: a block is its transactions and its logs, which the
 * header's bloom filter proves. Only receipts of transactions that name a wallet are read.
 */
export function createLogFetcher(options: BlockSource): BlockFetcher {
  const { ask, source, unproven } = options
  const blocks = createHeaderReader({ ...options, full: true })

  async function fetch(header: FollowedHeader): Promise<FollowedBlock> {
    const transactions = header.transactions as (RpcTransaction & { nonce: string })[]
    const answer = await ask('eth_getLogs', [{ blockHash: header.hash }])
    const logs = Map.groupBy(
      verifyLogs({ source, header, logs: answer, unproven }),
      ({ transactionHash }) => transactionHash,
    )
    return {
      header,
      transactions: transactions.map(({ hash, from, to, nonce }) => ({
        from,
        to,
        contractAddress:
          to === null ? getContractAddress({ from: from as Hex, nonce: BigInt(nonce) }).toLowerCase() : null,
        logs: logs.get(hash) ?? [],
      })),
      read: (indexes) =>
        Promise.all(
          indexes.map(async (index): Promise<WholeTransaction> => {
            const transaction = transactions[index]!
            const receipt = await receiptOf(header, { transaction, logs: logs.get(transaction.hash) ?? [] })
            return { transaction, receipt }
          }),
        ),
    }
  }

  async function receiptOf(
    { hash, number }: FollowedHeader,
    { transaction, logs }: { transaction: RpcTransaction; logs: readonly RpcLog[] },
  ): Promise<RpcReceipt> {
    const receipt = (await ask('eth_getTransactionReceipt', [transaction.hash])) as RpcReceipt | null
    if (receipt?.blockHash !== hash)
      throw new SourceUnavailable(source, `the receipt of ${transaction.hash} is missing: the node lags`)
    if (receipt.logs.length !== logs.length)
      throw new IncompleteBlock(
        source,
        `block ${Number(number)} (${hash}): ${logs.length} logs of ${transaction.hash}, and its receipt has ${receipt.logs.length}`,
      )
    return receipt
  }

  return blockFetcher(blocks, fetch)
}
