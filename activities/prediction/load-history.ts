import type { KnownMarket } from '../../db/prediction/read-for-ingest.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { bucketPoints } from './bucket-points.ts'
import type { PricePoint } from './venue-data.ts'
import type { Venue } from './venues.ts'

interface History {
  points: { outcome: number; minutes: number; at: Date; price: string }[]
  /** end of the loaded history; null: nothing is loaded */
  to: Date | null
}

const LONGEST_MS = 365 * DAY_MS
/** The newest points are read again, because they may still change. */
const LOOKBACK_MS = 2 * HOUR_MS
const FINE_MS = DAY_MS

/**
 * Reads prices from the end of the loaded history up to now or to the end of the market: hourly and daily,
 * and every five minutes for the latest day. Of two outcomes only the first is read.
 */
export async function loadHistory(
  { history }: Venue,
  { market, now }: { market: KnownMarket; now: Date },
): Promise<History> {
  const { outcomeIds, createdAt, pricesAt, resolvedAt } = market
  const nowMs = now.getTime()
  const toMs = Math.min(nowMs, resolvedAt === null ? nowMs : resolvedAt.getTime() + HOUR_MS)
  const startMs = pricesAt === null ? createdAt.getTime() : pricesAt.getTime() - LOOKBACK_MS
  const fromMs = Math.max(startMs, nowMs - LONGEST_MS)
  if (!history || fromMs >= toMs) return { points: [], to: pricesAt }
  const positions = outcomeIds.length === 2 ? [0] : outcomeIds.map((_, position) => position)
  const points: History['points'] = []
  for (const outcome of positions) {
    const read = (minutes: 5 | 60, window: { fromMs: number; toMs: number }) =>
      history.read({ market, outcome, minutes, ...window })
    const hours: PricePoint[] = []
    for (let from = fromMs; from < toMs; from += history.widestMs)
      hours.push(...(await read(60, { fromMs: from, toMs: Math.min(from + history.widestMs, toMs) })))
    const fineFromMs = Math.max(fromMs, nowMs - FINE_MS)
    const fine = history.isFine && fineFromMs < toMs ? await read(5, { fromMs: fineFromMs, toMs }) : []
    const add = (minutes: number, from: readonly PricePoint[]): void => {
      for (const point of bucketPoints(from, minutes))
        if (point.at <= now) points.push({ outcome, minutes, ...point })
    }
    // Points between the hours come from each refresh.
    add(5, history.isFine ? fine : hours.filter(({ at }) => at.getTime() >= fineFromMs))
    add(60, hours)
    add(1440, hours)
  }
  return { points, to: new Date(toMs) }
}
