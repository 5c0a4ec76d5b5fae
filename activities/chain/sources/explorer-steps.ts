import { LRUCache } from 'lru-cache'
import type { ChainBlock, InternalTransfer } from '../chain-data.ts'
import type { ExplorerAnswer, ExplorerBlock, ExplorerRequest, Explorers, ExplorerStep } from './explorer.ts'

/** A part of an explorer's step that is small enough to be read from a node and committed alone. */
export interface StepPart {
  hashes: string[]
  internals: InternalTransfer[]
  /** Blocks that the explorer names whole. */
  blocks: ChainBlock[]
  through: number
  next: string | null
}

/**
 * Transactions of one commit: two calls for each, which a free plan answers in half a minute. What is
 * committed is not lost when a node refuses the rest.
 */
const TRANSACTIONS_PER_PART = 100
const KEPT_MS = 10 * 60_000

type Answer = Exclude<ExplorerAnswer, { refused: string }>
type Refused = Extract<ExplorerAnswer, { refused: string }>

/**
 * Splits the steps of explorers at the ends of blocks. The rest of a step is kept for the next part, so
 * that it is not asked for again; after a restart it is.
 */
export function createExplorerSteps(explorers: Explorers) {
  const kept = new LRUCache<string, Answer & { from: number; to: number }>({ max: 100, ttl: KEPT_MS })

  /** `cursor`: everything up to it is stored; a part does not end before it. */
  async function take(
    request: ExplorerRequest,
    cursor: number,
  ): Promise<{ source: string; part: StepPart } | Refused> {
    const { address, fromBlock, toBlock } = request
    const rest = kept.get(address)
    kept.delete(address)
    const isRest = rest && request.next === null && rest.from === fromBlock && rest.step.through <= toBlock
    const answer = isRest ? rest : await explorers.read(request)
    if ('refused' in answer) return answer
    const { source, step } = answer
    const end = endOfPart(step, cursor)
    if (end === null) return { source, part: partOf(step, step.hashes, step.through) }
    const isIn = (hash: string) => step.blocks!.get(hash)!.number <= end
    const later = step.hashes.filter((hash) => !isIn(hash))
    kept.set(address, { source, step: { ...step, hashes: later }, from: end + 1, to: toBlock })
    return { source, part: partOf(step, step.hashes.filter(isIn), end) }
  }

  return { take }
}

/** The block with which the part ends; null: the step is small, or its blocks are not known. */
function endOfPart(step: ExplorerStep, cursor: number): number | null {
  const { hashes, blocks, next } = step
  if (hashes.length <= TRANSACTIONS_PER_PART || !blocks || next !== null) return null
  const numbers = hashes.map((hash) => blocks.get(hash)?.number ?? null)
  if (numbers.includes(null)) return null
  const sorted = (numbers as number[]).toSorted((a, b) => a - b)
  const end = Math.max(cursor, sorted[TRANSACTIONS_PER_PART - 1]!)
  return end < Math.min(step.through, sorted.at(-1)!) ? end : null
}

function partOf(step: ExplorerStep, hashes: string[], through: number): StepPart {
  const wanted = new Set(hashes)
  const blocks = hashes.flatMap((hash) => wholeBlock(step.blocks?.get(hash)))
  return {
    hashes,
    internals: step.internals.filter(({ txHash }) => wanted.has(txHash)),
    blocks,
    through,
    next: step.next,
  }
}

function wholeBlock(block: ExplorerBlock | undefined): ChainBlock[] {
  if (!block || block.hash === null || block.atMs === null) return []
  return [{ number: block.number, hash: block.hash, parentHash: null, atMs: block.atMs }]
}
