import { batchesOf } from '../../../db/values/batches.ts'
import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import { hexOf } from '../../nodes/rpc.ts'
import type { ChainBlock } from '../chain-data.ts'
import { decodeBlock } from '../sources/decode-transaction.ts'
import type { AskNode, BlockFetcher, FollowedHeader } from './block-data.ts'
import type { BlockRule } from './verify-block.ts'

/** A node, or several, whose blocks are read. */
export interface BlockSource {
  ask: AskNode
  source: string
  headTag: string
  /** rules that the chain breaks by design */
  unproven: ReadonlySet<BlockRule>
}

/** Throws SourceUnavailable or SourceRejected. */
export interface HeaderReader {
  /** The newest block. */
  head: () => Promise<FollowedHeader>
  /** The last final block; 0 if the node has no such tag. */
  finalized: () => Promise<number>
  /** null for a block that the node does not have. */
  header: (number: number) => Promise<FollowedHeader | null>
  headers: (numbers: readonly number[]) => Promise<(ChainBlock | null)[]>
  byHash: (hash: string) => Promise<FollowedHeader>
}

const HEADERS_AT_ONCE = 10

/** Reads the headers of blocks; `full`: with their transactions instead of the hashes of these. */
export function createHeaderReader(options: Omit<BlockSource, 'unproven'> & { full: boolean }): HeaderReader {
  const { ask, source, headTag, full } = options
  const read = async (key: string) =>
    (await ask('eth_getBlockByNumber', [key, full])) as FollowedHeader | null
  const header = (number: number) => read(hexOf(number))

  async function head(): Promise<FollowedHeader> {
    const found = await read(headTag)
    if (!found) throw new SourceUnavailable(source, `no ${headTag} block`)
    return found
  }

  async function finalized(): Promise<number> {
    try {
      return Number((await read('finalized'))?.number ?? 0)
    } catch (error) {
      if (error instanceof SourceRejected) return 0
      throw error
    }
  }

  async function headers(numbers: readonly number[]): Promise<(ChainBlock | null)[]> {
    const found: (ChainBlock | null)[] = []
    for (const asked of batchesOf(numbers, HEADERS_AT_ONCE)) {
      const part = await Promise.all(asked.map(header))
      found.push(...part.map((one) => one && decodeBlock(one)))
    }
    return found
  }

  async function byHash(hash: string): Promise<FollowedHeader> {
    const found = (await ask('eth_getBlockByHash', [hash, full])) as FollowedHeader | null
    if (found?.hash !== hash) throw new SourceUnavailable(source, `block ${hash} is missing: the node lags`)
    return found
  }

  return { head, finalized, header, headers, byHash }
}

/** Reads headers by `headers`, and verified blocks by `fetch`. */
export function blockFetcher(
  { head, header, byHash }: HeaderReader,
  fetch: BlockFetcher['fetch'],
): BlockFetcher {
  return { head, header, fetch, block: async (hash) => await fetch(await byHash(hash)) }
}
