import { z } from 'zod'
import { SourceRejected } from '../../errors.ts'
import type { MarketRef, TradePage } from '../venue-data.ts'
import { fillOfV1, fillOfV2, readFills } from './polymarket-fills.ts'

const V1_PAGE = 500
const V2_PAGE = 1_000
/** After this, a service that lacked v2 is asked for it again. */
const V2_AGAIN_MS = 3_600_000

/** Where a walk goes on. Cursors of v2 are the service's own. `end` and `oldest` are seconds. */
const placeOfV2 = z.object({ v: z.literal(2), next: z.string(), tail: z.record(z.string(), z.number()) })
const placeOfV1 = z.object({
  v: z.literal(1),
  offset: z.number(),
  end: z.number().nullable(),
  oldest: z.number().nullable(),
})
const place = z.union([placeOfV2, placeOfV1])
type PlaceOfV1 = z.infer<typeof placeOfV1>

const pageOfV2 = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({ next_cursor: z.string().nullish() }),
})

interface TradeRequest {
  market: MarketRef
  cursor: string | null
}

/**
 * Fills of makers and takers, newest first: by the cursors of v2, which reach back three years, or by the offsets of
 * v1, which end early and go on in windows of time.
 */
export function polymarketTrades(deps: {
  get: <T>(path: string, schema: z.ZodType<T>) => Promise<T>
  now: () => Date
}): (request: TradeRequest) => Promise<TradePage> {
  const { get, now } = deps
  let v2MissingUntil = 0

  async function byCursor(market: MarketRef, at: z.infer<typeof placeOfV2> | null): Promise<TradePage> {
    const query = new URLSearchParams({ condition: market.conditionId!, taker_only: 'false' })
    query.set('limit', String(V2_PAGE))
    if (at) query.set('cursor', at.next)
    const { data, pagination } = await get(`/v2/trades?${query.toString()}`, pageOfV2)
    const page = readFills(data, { schema: fillOfV2, market, before: at?.tail ?? {} })
    const next = pagination.next_cursor
    return { ...page, next: next ? JSON.stringify({ v: 2, next, tail: page.ordinals }) : null }
  }

  const sendV1 = (market: MarketRef, { offset, end }: PlaceOfV1): Promise<unknown[]> => {
    const window = end === null ? '' : `&end=${end}`
    const query = `market=${market.conditionId}&limit=${V1_PAGE}&offset=${offset}&takerOnly=false${window}`
    return get(`/trades?${query}`, z.array(z.unknown()))
  }

  async function byOffset(market: MarketRef, at: PlaceOfV1): Promise<TradePage> {
    try {
      return await pageOfV1(market, at)
    } catch (error) {
      const cap = offsetCap(error)
      if (cap === null || at.oldest === null) throw error
      const reason = `Polymarket gives no fills behind the first ${cap + V1_PAGE} of a market`
      const { oldest } = at
      // A second with more fills than a window has: the rest of it is out of reach.
      const isFull = at.end !== null && oldest >= at.end
      const end = isFull ? oldest - 1 : oldest
      const gap = { before: new Date((oldest + 1) * 1_000), reason }
      const page = await pageOfV1(market, { v: 1, offset: 0, end, oldest: end })
      const newest = page.trades[0]?.at.getTime() ?? 0
      // A service that ignores `end` sends the newest fills again.
      if (newest >= (end + 1) * 1_000) return { trades: [], quarantined: [], next: null, gap }
      return isFull ? { ...page, gap: { ...gap, after: new Date(end * 1_000) } } : page
    }
  }

  /** A page ends between two seconds, so that fills with equal fields are on one page. */
  async function pageOfV1(market: MarketRef, at: PlaceOfV1): Promise<TradePage> {
    const sent = await sendV1(market, at)
    const isLast = sent.length < V1_PAGE
    const whole = isLast ? sent.length : endOfSeconds(sent)
    const page = readFills(sent.slice(0, whole), { schema: fillOfV1, market, before: {} })
    const oldest = Number(secondOf(sent.at(-1)))
    const next = {
      v: 1,
      offset: at.offset + whole,
      end: at.end,
      oldest: Number.isInteger(oldest) ? oldest : null,
    }
    return { ...page, next: isLast ? null : JSON.stringify(next) }
  }

  return async ({ market, cursor }) => {
    const at = readPlace(cursor)
    const first: PlaceOfV1 = { v: 1, offset: 0, end: null, oldest: null }
    if (at?.v === 1) return byOffset(market, at)
    if (at === null && now().getTime() < v2MissingUntil) return byOffset(market, first)
    try {
      return await byCursor(market, at)
    } catch (error) {
      if (at !== null || !(error instanceof SourceRejected)) throw error
      if (error.message.includes('status 404')) v2MissingUntil = now().getTime() + V2_AGAIN_MS
      return byOffset(market, first)
    }
  }
}

/** null: at the newest fill */
function readPlace(cursor: string | null): z.infer<typeof place> | null {
  if (cursor === null || !cursor.startsWith('{')) return null
  return place.parse(JSON.parse(cursor))
}

/** The highest offset, if it is what the service refused. */
function offsetCap(error: unknown): number | null {
  const match = error instanceof SourceRejected && /activity offset of (\d+) exceeded/.exec(error.message)
  return match ? Number(match[1]) : null
}

const secondOf = (row: unknown) => (row as { timestamp?: unknown } | null)?.timestamp

/** Number of rows of a full page before its last second; all rows when they are of the same second. */
function endOfSeconds(rows: readonly unknown[]): number {
  const last = secondOf(rows.at(-1))
  const cut = rows.findIndex((row) => secondOf(row) === last)
  return cut > 0 ? cut : rows.length
}
