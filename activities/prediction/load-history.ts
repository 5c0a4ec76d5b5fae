import type { KnownMarket } from '../../db/prediction/read-for-ingest.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { bucketPoints } from './bucket-points.ts'
import type { PredictionSources } from './prediction-sources.ts'
import type { OrderBook, PricePoint } from './venue-data.ts'
import { complement } from './venue-fields.ts'

interface History {
  points: { outcome: number; minutes: number; at: Date; price: string }[]
  /** end of the loaded history; null: nothing is loaded */
  to: Date | null
}

const LONGEST_MS = 365 * DAY_MS
/** Polymarket refuses wider windows; Kalshi returns at most 5,000 candles. */
const WIDEST_MS = { polymarket: 14 * DAY_MS, kalshi: 200 * DAY_MS } as const
/** The newest points are read again, because they may still change. */
const LOOKBACK_MS = 2 * HOUR_MS
const FINE_MS = DAY_MS

/**
 * Reads prices from the end of the loaded history up to now or to the end of the market: hourly and daily,
 * and every five minutes for the latest day. Of two outcomes only the first is read.
 */
export async function loadHistory(
  sources: PredictionSources,
  { market, now }: { market: KnownMarket; now: Date },
): Promise<History> {
  const { venue, outcomeIds, createdAt, pricesAt, resolvedAt } = market
  const nowMs = now.getTime()
  const toMs = Math.min(nowMs, resolvedAt === null ? nowMs : resolvedAt.getTime() + HOUR_MS)
  const startMs = pricesAt === null ? createdAt.getTime() : pricesAt.getTime() - LOOKBACK_MS
  const fromMs = Math.max(startMs, nowMs - LONGEST_MS)
  if (fromMs >= toMs) return { points: [], to: pricesAt }
  const positions = outcomeIds.length === 2 ? [0] : outcomeIds.map((_, position) => position)
  const points: History['points'] = []
  for (const outcome of positions) {
    const read = (minutes: 5 | 60, window: { fromMs: number; toMs: number }) =>
      venue === 'polymarket'
        ? readClob(sources, { tokenId: outcomeIds[outcome]!, minutes, ...window })
        : readKalshi(sources, { market, ...window })
    const hours: PricePoint[] = []
    for (let from = fromMs; from < toMs; from += WIDEST_MS[venue])
      hours.push(...(await read(60, { fromMs: from, toMs: Math.min(from + WIDEST_MS[venue], toMs) })))
    const fineFromMs = Math.max(fromMs, nowMs - FINE_MS)
    const fine =
      venue === 'polymarket' && fineFromMs < toMs ? await read(5, { fromMs: fineFromMs, toMs }) : []
    const add = (minutes: number, from: readonly PricePoint[]): void => {
      for (const point of bucketPoints(from, minutes))
        if (point.at <= now) points.push({ outcome, minutes, ...point })
    }
    // Kalshi's minute candles take twenty times the bytes. Points between the hours come from each refresh.
    add(5, venue === 'polymarket' ? fine : hours.filter(({ at }) => at.getTime() >= fineFromMs))
    add(60, hours)
    add(1440, hours)
  }
  return { points, to: new Date(toMs) }
}

async function readClob(
  sources: PredictionSources,
  options: { tokenId: string; fromMs: number; toMs: number; minutes: number },
): Promise<PricePoint[]> {
  return (await sources.clob().history(options)).points
}

/** Markets that settled before the cutoff have their candles in the archive. */
async function readKalshi(
  sources: PredictionSources,
  { market, ...window }: { market: KnownMarket; fromMs: number; toMs: number },
): Promise<PricePoint[]> {
  const kalshi = sources.kalshi()
  const { resolvedAt } = market
  const settledAt = resolvedAt === null ? null : (await kalshi.cutoff()).settledAt
  const archived = resolvedAt !== null && settledAt !== null && resolvedAt < settledAt
  return (await kalshi.history({ market, ...window, minutes: 60, archived })).points
}

/** The order book of the other outcome: a bid for one outcome is an ask of the other. */
export function complementOrderBook({ bids, asks, ...orderBook }: OrderBook): OrderBook {
  const flip = (levels: OrderBook['bids']) =>
    levels.map(([price, size]) => [complement(price), size] as const)
  return { ...orderBook, bids: flip(asks), asks: flip(bids) }
}
