import type { Explorer, ExplorerBlock } from '../../activities/chain/sources/explorer.ts'
import type { InternalTransfer } from '../../activities/chain/chain-data.ts'
import { topicOf } from '../upstreams/nodes/chain.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'

const ROWS_PER_STEP = 1_000

/** An explorer of a chain in memory that gives at most 1,000 transactions at a time. */
export function memoryExplorer(chain: MemoryChain): Explorer & { steps: () => number } {
  let steps = 0
  return {
    source: 'etherscan',
    steps: () => steps,
    step: async ({ address, fromBlock, toBlock, onlyInternals = false }) => {
      steps++
      const hashes: string[] = []
      const internals: InternalTransfer[] = []
      const blocks = new Map<string, ExplorerBlock>()
      let through = fromBlock - 1
      for (let number = fromBlock; number <= toBlock && hashes.length < ROWS_PER_STEP - 10; number++) {
        const block = chain.block(number)!
        for (const one of block.transactions) {
          const moved = one.internals.filter(({ from, to }) => from === address || to === address)
          const isIn = one.logs.some(({ topics }) => topics.includes(topicOf(address)))
          const isNamed = !onlyInternals && (one.from === address || one.to === address || isIn)
          if (!isNamed && moved.length === 0) continue
          hashes.push(one.hash)
          internals.push(...moved.map((row) => ({ txHash: one.hash, ...row })))
          blocks.set(one.hash, { number, hash: block.hash, atMs: block.timestamp * 1_000 })
        }
        through = number
      }
      return { hashes, internals, blocks, through, next: null }
    },
  }
}
