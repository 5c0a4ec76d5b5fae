import type { PricePoint } from './market-data.ts'

/** Sources stamp the sample of an edge some seconds late. */
const LATE_MS = 5 * 60_000

/**
 * The price in force at each edge (a full hour, a UTC midnight) inside (fromMs, toMs]: the first point within five
 * minutes after the edge, else the last one in the step before it. An edge with neither stays open: a gap is not
 * filled up. The newest point of a chart is "now" and decides only the edge it is late for.
 */
export function bucketPrices(
  points: readonly PricePoint[],
  window: { fromMs: number; toMs: number; stepMs: number },
): PricePoint[] {
  const { fromMs, toMs, stepMs } = window
  const sorted = points.toSorted((a, b) => a.atMs - b.atMs)
  const edges: PricePoint[] = []
  let next = 0
  for (let edge = (Math.floor(fromMs / stepMs) + 1) * stepMs; edge <= toMs; edge += stepMs) {
    while (next < sorted.length && sorted[next]!.atMs < edge) next++
    const after = sorted[next]
    const before = sorted[next - 1]
    if (after && after.atMs <= edge + LATE_MS) edges.push({ atMs: edge, usd: after.usd })
    else if (before && before.atMs > edge - stepMs) edges.push({ atMs: edge, usd: before.usd })
  }
  return edges
}
