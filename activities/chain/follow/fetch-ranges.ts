import { batchesOf } from '../../../db/values/batches.ts'
import type { BlockMark } from '../../../db/chain/follows.ts'
import { SourceUnavailable } from '../../errors.ts'
import type { NativeContracts } from '../sources/native-transfers.ts'
import { readManyBalances } from '../../nodes/many-balances.ts'
import type { UsableNode } from '../../nodes/node-pool.ts'
import type { BlockFetcher, FollowedBlock, FollowedHeader } from './block-data.ts'
import { findChanges } from './find-changes.ts'
import type { BalancesAt } from './find-changes.ts'
import { readWalletLogs } from './wallet-logs.ts'

/** A block of a range that concerns wallets. */
export interface RangeBlock {
  block: FollowedBlock
  /** wallets whose native balance it changed: it may not name them */
  moved: ReadonlySet<string>
}

export interface RangeFetcher {
  /**
   * The blocks above `after` up to `through` that concern wallets, in their order. Throws SourceUnavailable,
   * SourceRejected, or what the node refused.
   */
  fetch: (input: {
    node: UsableNode
    /** addresses in lower case */
    wallets: ReadonlySet<string>
    /** reads the found blocks from the same node */
    blocks: BlockFetcher
    after: BlockMark
    through: FollowedHeader
  }) => Promise<RangeBlock[]>
}

/** What a node must offer, beside what reads a block. */
export const RANGE_METHODS = ['eth_getLogs', 'eth_call']
/** Of a range: the head, the last block before it, and the head once more. */
export const HEADERS_PER_RANGE = 3
const BLOCKS_AT_ONCE = 8

/**
 * Method G: the logs and native balances of all wallets over a range tell which of its blocks concern one, and
 * only those are read. What a wallet receives and gives away within one range, without a log, is not seen; nor
 * is a transaction of others to it that moves nothing.
 */
export function createRangeFetcher({
  source,
  contracts,
}: {
  source: string
  contracts: NativeContracts
}): RangeFetcher {
  let known: { hash: string; balances: ReadonlyMap<string, bigint> } | null = null

  async function fetch(input: Parameters<RangeFetcher['fetch']>[0]): Promise<RangeBlock[]> {
    const { node, wallets, blocks, after, through } = input
    const [low, high] = [after.number, Number(through.number)]
    const balancesAt: BalancesAt = async ({ accounts, block }) => {
      const asked = accounts.map((account) => ({ account, token: null }))
      const found = await readManyBalances(node.client, { block: `0x${block.toString(16)}`, asked })
      return new Map(accounts.map((account, i) => [account, found[i]!]))
    }
    const logs = await readWalletLogs(node, { wallets, contracts, fromBlock: low + 1, toBlock: high })
    const before = new Map(known?.hash === after.hash ? known.balances : [])
    const added = [...wallets].filter((wallet) => !before.has(wallet))
    for (const [wallet, balance] of await balancesAt({ accounts: added, block: low }))
      before.set(wallet, balance)
    const balances = await balancesAt({ accounts: [...wallets], block: high })
    const spans = [...wallets].map((account) => ({
      account,
      low,
      high,
      before: before.get(account)!,
      after: balances.get(account)!,
    }))
    const hints = new Map<string, number[]>()
    for (const { log, wallets: named } of logs)
      for (const wallet of named) hints.set(wallet, [...(hints.get(wallet) ?? []), Number(log.blockNumber)])
    const moved = await findChanges(balancesAt, { spans, hints })
    const numbers = [...new Set([...moved.keys(), ...[...hints.values()].flat()])].toSorted((a, b) => a - b)
    const found: RangeBlock[] = []
    for (const part of batchesOf(numbers, BLOCKS_AT_ONCE)) {
      found.push(
        ...(await Promise.all(
          part.map(async (number) => ({
            block: await blocks.fetch(number === high ? through : await headerOf(blocks, number)),
            moved: moved.get(number) ?? new Set<string>(),
          })),
        )),
      )
    }
    // Blocks, logs and balances were read by number: they are of the branch that is still there.
    if ((await headerOf(blocks, high)).hash !== through.hash) throw changedMeanwhile(high)
    for (const { log } of logs) {
      const block = found.find(({ block: { header } }) => header.number === log.blockNumber)
      if (block?.block.header.hash !== log.blockHash) throw changedMeanwhile(Number(log.blockNumber))
    }
    known = { hash: through.hash, balances }
    return found
  }

  async function headerOf(blocks: BlockFetcher, number: number): Promise<FollowedHeader> {
    const header = await blocks.header(number)
    if (!header) throw new SourceUnavailable(source, `block ${number} is missing: the node lags`)
    return header
  }

  const changedMeanwhile = (number: number) =>
    new SourceUnavailable(
      source,
      `block ${number} is another one than before: a reorg happened during the read`,
    )

  return { fetch }
}
