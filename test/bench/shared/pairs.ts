export interface Pair {
  ours: number
  peer: number
}

/** Runs both sides in turns, in alternating order. Returns milliseconds. */
export function runPairs(input: {
  pairs: number
  ours: () => unknown
  peer: () => unknown
}): Promise<Pair[]> {
  const timed = (work: () => unknown) => async (): Promise<number> => {
    const startMs = performance.now()
    await work()
    return performance.now() - startMs
  }
  return measurePairs({ pairs: input.pairs, ours: timed(input.ours), peer: timed(input.peer) })
}

/** The same for functions that return their own measurement. */
export async function measurePairs(input: {
  pairs: number
  ours: () => Promise<number>
  peer: () => Promise<number>
}): Promise<Pair[]> {
  const results: Pair[] = []
  for (let pair = 0; pair < input.pairs; pair++) {
    if (pair % 2 === 0) {
      const ours = await input.ours()
      results.push({ ours, peer: await input.peer() })
    } else {
      const peer = await input.peer()
      results.push({ ours: await input.ours(), peer })
    }
  }
  return results
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
