/** Running sums by key: what each one was after each block that changed it. */
export interface Ledger {
  /** Blocks must not go back. */
  add: (key: string, change: { block: number; amount: bigint }) => void
  /** The sum after a block. */
  at: (key: string, block: number) => bigint
}

export function createLedger(): Ledger {
  const sums = new Map<string, { blocks: number[]; after: bigint[] }>()
  return {
    add(key, { block, amount }) {
      if (amount === 0n) return
      const known = sums.get(key) ?? { blocks: [], after: [] }
      sums.set(key, known)
      const sum = (known.after.at(-1) ?? 0n) + amount
      if (known.blocks.at(-1) === block) known.after[known.after.length - 1] = sum
      else {
        known.blocks.push(block)
        known.after.push(sum)
      }
    },
    at(key, block) {
      const { blocks, after } = sums.get(key) ?? { blocks: [], after: [] }
      let [low, high] = [0, blocks.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (blocks[middle]! <= block) low = middle + 1
        else high = middle
      }
      return after[low - 1] ?? 0n
    },
  }
}
