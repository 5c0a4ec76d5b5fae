export interface Pair {
  ours: number
  peer: number
}

/** Runs both sides in turns, the order flipped with each pair. Milliseconds. */
export async function runPairs(input: {
  pairs: number
  ours: () => unknown
  peer: () => unknown
}): Promise<Pair[]> {
  const timed = async (work: () => unknown): Promise<number> => {
    const startMs = performance.now()
    await work()
    return performance.now() - startMs
  }
  const results: Pair[] = []
  for (let pair = 0; pair < input.pairs; pair++) {
    if (pair % 2 === 0) {
      const ours = await timed(input.ours)
      results.push({ ours, peer: await timed(input.peer) })
    } else {
      const peer = await timed(input.peer)
      results.push({ ours: await timed(input.ours), peer })
    }
  }
  return results
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
