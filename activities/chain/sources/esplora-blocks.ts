import { SourceUnavailable } from '../../errors.ts'
import type { ChainBlock } from '../chain-data.ts'

/**
 * Checks the blocks of a page of transactions against the best chain: from the head down to the deepest block
 * that a reorg could still replace, each block must be the parent of the next. Deeper blocks are not checked.
 * The result includes the head, which the next sync must continue.
 */
export async function linkBlocks(input: {
  name: string
  /** linked blocks from a height downwards, highest first */
  blocksFrom: (height: number) => Promise<ChainBlock[]>
  found: readonly ChainBlock[]
  headBlock: number
  reorgDepth: number
}): Promise<ChainBlock[]> {
  const { name, found, headBlock, reorgDepth } = input
  const recent = found.filter(({ number }) => number > headBlock - reorgDepth)
  const lowest = Math.min(headBlock, ...recent.map(({ number }) => number))
  const chain = new Map<number, ChainBlock>()
  for (let next = headBlock; next >= lowest;) {
    const part = await input.blocksFrom(next)
    for (const one of part) {
      const above = chain.get(one.number + 1)
      if (one.number !== next || (above && above.parentHash !== one.hash))
        throw new SourceUnavailable(
          name,
          `block ${one.number} is not on the best chain: a reorg happened during the read`,
        )
      chain.set(next--, one)
    }
  }
  for (const { number, hash } of recent)
    if (chain.get(number)?.hash !== hash)
      throw new SourceUnavailable(
        name,
        `block ${hash} is not on the best chain: a reorg happened during the read`,
      )
  const old = found.filter(({ number }) => number <= headBlock - reorgDepth)
  return [...old, ...recent.map(({ number }) => chain.get(number)!), chain.get(headBlock)!].filter(
    (one, i, all) => all.findIndex(({ number }) => number === one.number) === i,
  )
}
