import type { PricePoint } from './market-data.ts'

/** Tolerance: sources stamp the sample of an edge some seconds late. */
const LATE_MS = 5 * 60_000

/**
 * Returns the price in force at each edge (full hour or UTC midnight) in (fromMs, toMs]: the first point at
 * most five minutes after the edge, else the last point of the step before it. Gaps stay open. The newest
 * point of a chart is the current price: it counts only for an edge at most five minutes before it.
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
