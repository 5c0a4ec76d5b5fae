import { z } from 'zod'
import type { ServedMarket } from '../../db/prediction/read-markets.ts'
import { PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { toNumber } from '../shapes.ts'
import { isPlayMoney, playMoneySchema } from './prediction-params.ts'

const when = (what: string) => z.string().nullable().describe(`ISO 8601, ${what}; null when unknown`)
const probability = (what: string) => z.number().nullable().describe(`${what} of the first outcome, 0 to 1`)
const change = (span: string) =>
  z.number().nullable().describe(`Difference of the first outcome's price over ${span}; null when unknown`)
const usd = (what: string) => z.number().describe(`${what}, USD; 0 for play money`)
const volume = (span: string) =>
  z
    .number()
    .nullable()
    .describe(
      `Price times size of the trades ${span}, USD; null while the trades of the market are not read, and for play money`,
    )
const notional = (span: string) =>
  z
    .number()
    .nullable()
    .describe(`What the contracts traded ${span} pay at most, USD; null when the venue does not count them`)
export const tagSchema = z.object({ slug: z.string(), label: z.string() })

const outcomeSchema = z.object({
  id: z.string(),
  name: z.string(),
  price: z.number().describe('0 to 1'),
  priceChange24h: z.number().nullable(),
  winner: z.boolean().nullable().describe('null until the market is resolved'),
})

export const marketSchema = z.object({
  id: z.string(),
  slug: z.string().describe('Unique across venues'),
  venue: z.enum(PREDICTION_VENUES),
  playMoney: playMoneySchema,
  venueMarketId: z.string(),
  question: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  imageUrl: z.string().nullable(),
  category: z.string().nullable(),
  eventSlug: z.string().nullable(),
  eventTitle: z.string().nullable(),
  tags: z.array(tagSchema),
  status: z.enum(['open', 'closed', 'resolved', 'cancelled']),
  outcomes: z.array(outcomeSchema).describe('In the order of the venue; Yes is not always first'),
  lastTradePrice: probability('Last trade'),
  bestBid: probability('Best bid'),
  bestAsk: probability('Best ask'),
  spread: z.number().nullable(),
  priceChange1h: change('1 hour'),
  priceChange24h: change('24 hours'),
  priceChange7d: change('7 days'),
  volume24h: volume('over 24 hours'),
  volume7d: volume('since 00:00 UTC seven days ago; Polymarket states it over 168 hours'),
  volumeTotal: volume('since the start'),
  notional24h: notional('over 24 hours'),
  notionalTotal: notional('since the start'),
  liquidity: usd('Liquidity'),
  openInterest: usd('Open interest'),
  tradersCount: z
    .number()
    .int()
    .nullable()
    .describe('Accounts with known trades, or as the venue states them; null when neither is known'),
  startDate: when('when trading began'),
  endDate: when('when trading ends'),
  resolvedAt: when('when it was resolved'),
  resolution: z
    .object({ outcomeId: z.string(), outcome: z.string(), source: z.string().nullable() })
    .nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Market = z.infer<typeof marketSchema>

export const numberOrNull = (numeric: string | null): number | null =>
  numeric === null ? null : toNumber(numeric)
export const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null
export const outcomeId = ({ marketId, position }: { marketId: number; position: number }): string =>
  `${marketId}-${position}`

export function toMarket(row: ServedMarket): Market {
  const won = row.outcomes.find(({ payout }) => payout === '1')
  const [bid, ask] = [numberOrNull(row.best_bid), numberOrNull(row.best_ask)]
  return {
    id: String(row.id),
    slug: row.slug,
    venue: row.venue,
    playMoney: isPlayMoney(row.venue),
    venueMarketId: row.venue_market_id,
    question: row.question,
    url: row.url,
    description: row.description,
    imageUrl: row.image_url,
    category: row.category,
    eventSlug: row.event_slug,
    eventTitle: row.event_title,
    tags: row.tags,
    status: row.status,
    outcomes: row.outcomes.map(({ position, name, price, change: moved, payout }) => ({
      id: outcomeId({ marketId: row.id, position }),
      name,
      price: toNumber(price),
      priceChange24h: numberOrNull(moved),
      winner: payout === null ? null : payout === '1',
    })),
    lastTradePrice: numberOrNull(row.last_trade_price),
    bestBid: bid,
    bestAsk: ask,
    spread: bid === null || ask === null ? null : Number((ask - bid).toFixed(6)),
    priceChange1h: numberOrNull(row.price_change_1h),
    priceChange24h: numberOrNull(row.price_change_24h),
    priceChange7d: numberOrNull(row.price_change_7d),
    volume24h: numberOrNull(row.volume_24h_usd),
    volume7d: numberOrNull(row.volume_7d_usd),
    volumeTotal: numberOrNull(row.volume_total_usd),
    notional24h: numberOrNull(row.notional_24h_usd),
    notionalTotal: numberOrNull(row.notional_total_usd),
    liquidity: toNumber(row.liquidity_usd),
    openInterest: toNumber(row.open_interest_usd),
    tradersCount: row.traders_count,
    startDate: isoOrNull(row.start_at),
    endDate: isoOrNull(row.end_at),
    resolvedAt: isoOrNull(row.resolved_at),
    resolution: won
      ? {
          outcomeId: outcomeId({ marketId: row.id, position: won.position }),
          outcome: won.name,
          source: row.resolution_source,
        }
      : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
