import type { PricePoint } from './venue-data.ts'

/** The last price of each step, dated at its end; steps without a price are omitted. Accepts any order. */
export function bucketPoints(points: readonly PricePoint[], minutes: number): PricePoint[] {
  const step = minutes * 60_000
  const last = new Map<number, PricePoint>()
  for (const point of points) {
    const end = Math.ceil(point.at.getTime() / step) * step
    const known = last.get(end)
    if (!known || known.at <= point.at) last.set(end, point)
  }
  return [...last].toSorted(([a], [b]) => a - b).map(([end, { price }]) => ({ at: new Date(end), price }))
}
