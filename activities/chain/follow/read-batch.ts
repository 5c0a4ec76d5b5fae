import type { BlockMark } from '../../../db/chain/follows.ts'
import { SourceUnavailable } from '../../errors.ts'
import type { UsableNode } from '../../nodes/node-pool.ts'
import type { ChainBlock } from '../chain-data.ts'
import { ReorgDetected } from '../reorg.ts'
import { decodeBlock, decodeTransaction } from '../sources/decode-transaction.ts'
import type { AddressSet } from './address-set.ts'
import type { BlockFetcher, FollowedBlock, FollowedHeader } from './block-data.ts'
import type { ReadBlock } from './block-reader.ts'
import type { RangeFetcher } from './fetch-ranges.ts'
import { matchBlock } from './match-block.ts'
import { blockWithdrawals } from '../sources/native-transfers.ts'
import type { NativeContracts } from '../sources/native-transfers.ts'

const BLOCKS_PER_BATCH = 40
const BLOCKS_AT_ONCE = 8
const BATCH_MS = 1_000

export interface ReadDeps {
  fetcher: BlockFetcher
  source: string
  contracts: NativeContracts
  now: () => Date
}

/**
 * Reads the blocks from `from` up to the head: at most 40, and no further ones after a second. They are linked
 * by parent hash.
 */
export async function readBatch(
  deps: ReadDeps,
  { from, head, set }: { from: number; head: FollowedHeader; set: AddressSet },
): Promise<ReadBlock[]> {
  const { fetcher, source, now } = deps
  const startMs = now().getTime()
  const through = Math.min(Number(head.number), from + BLOCKS_PER_BATCH - 1)
  const headerOf = async (number: number) =>
    number === Number(head.number) ? head : await existing(deps, number)
  const blocks: ReadBlock[] = []
  for (let at = from; at <= through; at += BLOCKS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(BLOCKS_AT_ONCE, through - at + 1) }, (_, i) => at + i)
    const read = await Promise.all(
      numbers.map(async (number) =>
        readMatches(deps, { block: await fetcher.fetch(await headerOf(number)), set }),
      ),
    )
    for (const one of read) {
      const parent = blocks.at(-1)?.block
      if (parent && parent.hash !== one.block.parentHash)
        throw new SourceUnavailable(
          source,
          `block ${one.block.number} does not follow ${parent.hash}: a reorg happened during the read`,
        )
      blocks.push(one)
    }
    if (now().getTime() - startMs >= BATCH_MS) break
  }
  return blocks
}

/** Reads the header of a block that the node has. */
async function existing({ fetcher, source }: ReadDeps, number: number): Promise<FollowedHeader> {
  const header = await fetcher.header(number)
  if (!header) throw new SourceUnavailable(source, `block ${number} is missing: the node lags`)
  return header
}

/**
 * Reads the blocks above `after` up to `last` that concern wallets, and the last one. Throws ReorgDetected where
 * `after` is no block of the chain.
 */
export async function readRange(
  deps: ReadDeps & { ranges: RangeFetcher; networkId: string },
  input: {
    node: UsableNode
    after: BlockMark
    head: FollowedHeader
    last: number
    wallets: ReadonlySet<string>
    set: AddressSet
  },
): Promise<ReadBlock[]> {
  const { after, head, last, set } = input
  if ((await existing(deps, after.number)).hash !== after.hash)
    throw new ReorgDetected(deps.networkId, after.number)
  const through = last === Number(head.number) ? head : await existing(deps, last)
  const found = await deps.ranges.fetch({ ...input, blocks: deps.fetcher, through })
  const blocks: ReadBlock[] = []
  for (const { block, moved } of found) {
    const read = await readMatches(deps, { block, set })
    const addresses = new Set([...read.match.addresses, ...moved])
    blocks.push({ ...read, match: { addresses, candidates: null } })
  }
  if (blocks.at(-1)?.block.number !== last)
    blocks.push({
      block: decodeBlock(through),
      match: { addresses: new Set(), candidates: null },
      decoded: [],
    })
  return blocks
}

/** Reads blocks by number. */
export async function readNumbers(
  deps: ReadDeps,
  { numbers, set }: { numbers: readonly number[]; set: AddressSet },
): Promise<ReadBlock[]> {
  const blocks: ReadBlock[] = []
  for (const number of numbers)
    blocks.push(
      await readMatches(deps, { block: await deps.fetcher.fetch(await existing(deps, number)), set }),
    )
  return blocks
}

/** Reads committed blocks again, and matches them for the addresses of the set alone. */
export async function readAgain(
  deps: ReadDeps,
  { marks, set }: { marks: readonly BlockMark[]; set: AddressSet },
): Promise<ReadBlock[]> {
  const blocks: ReadBlock[] = []
  for (const { hash } of marks)
    blocks.push(await readMatches(deps, { block: await deps.fetcher.block(hash), set }))
  return blocks
}

async function readMatches(
  { contracts }: Pick<ReadDeps, 'contracts'>,
  { block, set }: { block: FollowedBlock; set: AddressSet },
): Promise<ReadBlock> {
  const match = matchBlock(set, block)
  const chainBlock = decodeBlock(block.header)
  const transactions = match.transactions.length > 0 ? await block.read(match.transactions) : []
  const decoded = transactions.map((one) => decodeTransaction({ ...one, block: chainBlock, contracts }))
  const withdrawn = match.addresses.size > 0 ? blockWithdrawals(chainBlock, block.header.withdrawals) : null
  return { block: chainBlock, match, decoded: withdrawn ? [...decoded, withdrawn] : decoded }
}

export const markOf = ({ number, hash }: ChainBlock): BlockMark => ({ number, hash })
