import type { BlockMark } from '../../../db/chain/follows.ts'
import type { AddressSet } from './address-set.ts'
import { mayMatch } from './match-block.ts'

/**
 * Candidates of the last committed blocks. A wallet that is added is looked up here, so it is covered from the
 * first of them on, and all blocks below are settled.
 */
export interface RecentBlocks {
  /** null: none */
  first: () => number | null
  add: (block: BlockMark, candidates: Uint32Array) => void
  /** Forgets the blocks above a number, after a reorg. */
  cut: (number: number) => void
  /** Blocks that may name an address of the set, oldest first. */
  matching: (set: AddressSet) => BlockMark[]
}

export function createRecentBlocks(depth: number): RecentBlocks {
  let blocks: { mark: BlockMark; candidates: Uint32Array }[] = []
  return {
    first: () => blocks[0]?.mark.number ?? null,
    add(mark, candidates) {
      const last = blocks.at(-1)
      if (last && last.mark.number + 1 !== mark.number) blocks = []
      blocks.push({ mark, candidates })
      if (blocks.length > depth) blocks.shift()
    },
    cut(number) {
      blocks = blocks.filter(({ mark }) => mark.number <= number)
    },
    matching: (set) => blocks.filter(({ candidates }) => mayMatch(set, candidates)).map(({ mark }) => mark),
  }
}
