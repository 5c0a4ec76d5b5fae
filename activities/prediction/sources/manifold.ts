import { z } from 'zod'
import { millisecondsField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import { orNull } from '../or-null.ts'
import type { EventRow, MarketRef, MarketRow, MarketStatus, PricePoint, VenuePage } from '../venue-data.ts'
import { UNSTATED } from '../venue-data.ts'
import { complement, looseProbability, msTimeField, nameField, probabilityField } from '../venue-fields.ts'

export const MANIFOLD = 'manifold'
/** of markets, or of bets: more are refused */
export const PAGE = 1_000
/** A sorted list begins no later than after so many rows. */
const LAST_OFFSET = 1_000
/** of `openMarkets` */
export const PAGES = 1 + LAST_OFFSET / PAGE

/** A yes-or-no question. All its amounts are in mana, and none of them is read. */
const marketRow = z
  .object({
    id: z.string().regex(/^[\w-]{1,40}$/),
    question: nameField,
    url: z.string().regex(/^https:\/\/[\w.]+\/[^/]+\/[\w-]{1,180}$/),
    outcomeType: z.literal('BINARY'),
    token: z.literal('MANA').optional(),
    probability: probabilityField,
    createdTime: millisecondsField,
    closeTime: msTimeField,
    lastUpdatedTime: msTimeField,
    isResolved: z.boolean(),
    resolution: z.enum(['YES', 'NO', 'MKT', 'CANCEL']).nullish(),
    resolutionTime: msTimeField,
    resolutionProbability: looseProbability,
    uniqueBettorCount: z.int().nonnegative().nullish(),
  })
  .refine(({ isResolved, resolution }) => !isResolved || resolution != null, 'resolved without a resolution')
type ManifoldMarket = z.infer<typeof marketRow>

const betRow = z.object({ createdTime: millisecondsField, probAfter: probabilityField })

/** The public part of Manifold's API (docs.manifold.markets/api). */
export function createManifold({ http, url, now }: { http: HttpClient; url: string; now: () => Date }) {
  const get = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({
      source: MANIFOLD,
      url: `${url}/v0${path}`,
      schema,
      operation: path.replaceAll(/\?.*|(?<=^\/market\/)[^?]+/g, ''),
    })

  function pageOf(rows: readonly unknown[], next: string | null): VenuePage {
    const { rows: markets, quarantined } = parseRows(marketRow, rows)
    const [events, asked] = [markets.map(toEvent), now()]
    return { events, markets: markets.map((row, i) => toMarket(row, events[i]!, asked)), quarantined, next }
  }

  return {
    /** One page of the open yes-or-no questions with the most bettors. `cursor`: how many are before it */
    async openMarkets({ cursor }: { cursor: string | null }): Promise<VenuePage> {
      const offset = Number(cursor ?? 0)
      const rows = await get(
        `/search-markets?filter=open&contractType=BINARY&token=MANA&sort=most-popular&limit=${PAGE}&offset=${offset}`,
        z.array(z.unknown()),
      )
      const isLast = rows.length < PAGE || offset + PAGE > LAST_OFFSET
      return pageOf(rows, isLast ? null : String(offset + PAGE))
    },

    /** Markets by id, whether they trade or not. The venue does not know those that were deleted. */
    async markets(markets: readonly Pick<MarketRef, 'venueMarketId'>[]): Promise<VenuePage> {
      const rows: unknown[] = []
      for (const { venueMarketId } of markets) {
        const row = await orNull(get(`/market/${venueMarketId}?lite=true`, z.unknown()))
        if (row !== null) rows.push(row)
      }
      return pageOf(rows, null)
    },

    /** The price of `yes` after each bet of a window. */
    async history(options: { market: MarketRef; fromMs: number; toMs: number }): Promise<PricePoint[]> {
      const { market, fromMs, toMs } = options
      const points: PricePoint[] = []
      // Both ends are exclusive there. Bets of one instant may be on two pages.
      for (let afterMs = fromMs - 1; ;) {
        const query = `contractId=${market.venueMarketId}&afterTime=${afterMs}&beforeTime=${toMs + 1}`
        const bets = await get(`/bets?${query}&order=asc&limit=${PAGE}`, z.array(betRow))
        points.push(...bets.map(({ createdTime, probAfter }) => ({ at: createdTime, price: probAfter })))
        const lastMs = bets.at(-1)?.createdTime.getTime() ?? afterMs
        if (bets.length < PAGE) return points
        afterMs = Math.max(afterMs + 1, lastMs - 1)
      }
    },
  }
}

const slugOf = ({ url }: ManifoldMarket) => `manifold-${url.split('/').at(-1)!}`

/** Each question is an event of its own, as the single markets of other venues are. */
const toEvent = (row: ManifoldMarket): EventRow => ({
  venueEventId: row.id,
  slug: slugOf(row),
  title: row.question,
  url: row.url,
  description: null,
  imageUrl: null,
  category: null,
  tags: [],
  mutuallyExclusive: false,
  resolutionSource: null,
  startAt: row.createdTime,
  endAt: row.closeTime,
  createdAt: row.createdTime,
  updatedAt: row.lastUpdatedTime,
})

function toMarket(row: ManifoldMarket, event: EventRow, asked: Date): MarketRow {
  const status = statusOf(row, asked)
  const payout = status === 'resolved' ? payoutOf(row) : null
  const price = payout ?? row.probability
  return {
    ...UNSTATED,
    venueMarketId: row.id,
    venueEventId: event.venueEventId,
    slug: event.slug,
    question: row.question,
    label: null,
    url: row.url,
    description: null,
    imageUrl: null,
    category: null,
    tags: [],
    status,
    tradersCount: row.uniqueBettorCount ?? null,
    startAt: row.createdTime,
    endAt: row.closeTime,
    resolvedAt: row.isResolved ? (row.resolutionTime ?? row.closeTime) : null,
    createdAt: row.createdTime,
    updatedAt: row.lastUpdatedTime,
    outcomes: [
      { venueOutcomeId: 'YES', name: 'Yes', price, payout },
      { venueOutcomeId: 'NO', name: 'No', price: complement(price), payout: payout && complement(payout) },
    ],
  }
}

function statusOf({ isResolved, resolution, closeTime }: ManifoldMarket, asked: Date): MarketStatus {
  if (isResolved) return resolution === 'CANCEL' ? 'cancelled' : 'resolved'
  return closeTime === null || closeTime > asked ? 'open' : 'closed'
}

/** What a share of yes paid: its price at the end where the creator resolved to `MKT`. */
function payoutOf({ resolution, resolutionProbability, probability }: ManifoldMarket): string {
  if (resolution === 'YES') return '1'
  return resolution === 'NO' ? '0' : (resolutionProbability ?? probability)
}
