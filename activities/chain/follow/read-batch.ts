import type { BlockMark } from '../../../db/chain/follows.ts'
import { SourceUnavailable } from '../../errors.ts'
import type { ChainBlock } from '../chain-data.ts'
import { decodeBlock, decodeTransaction } from '../sources/decode-transaction.ts'
import type { AddressSet } from './address-set.ts'
import type { BlockFetcher, FollowedBlock, FollowedHeader } from './block-data.ts'
import type { ReadBlock } from './block-reader.ts'
import { matchBlock } from './match-block.ts'

const BLOCKS_PER_BATCH = 40
const BLOCKS_AT_ONCE = 8
const BATCH_MS = 1_000

export interface ReadDeps {
  fetcher: BlockFetcher
  source: string
  /** contract of the wrapped native asset */
  wrappedAddress: string | null
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
  const headerOf = async (number: number): Promise<FollowedHeader> => {
    const header = number === Number(head.number) ? head : await fetcher.header(number)
    if (!header) throw new SourceUnavailable(source, `block ${number} is missing: the node lags`)
    return header
  }
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
  { wrappedAddress }: Pick<ReadDeps, 'wrappedAddress'>,
  { block, set }: { block: FollowedBlock; set: AddressSet },
): Promise<ReadBlock> {
  const match = matchBlock(set, block)
  const chainBlock = decodeBlock(block.header)
  if (match.transactions.length === 0) return { block: chainBlock, match, decoded: [] }
  const transactions = await block.read(match.transactions)
  const decoded = transactions.map((one) => decodeTransaction({ ...one, block: chainBlock, wrappedAddress }))
  return { block: chainBlock, match, decoded }
}

export const markOf = ({ number, hash }: ChainBlock): BlockMark => ({ number, hash })
