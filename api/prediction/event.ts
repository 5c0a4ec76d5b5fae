import { z } from 'zod'
import type { ServedEvent } from '../../db/prediction/read-events.ts'
import { PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { toNumber } from '../shapes.ts'
import { isoOrNull, tagSchema } from './market.ts'
import { isPlayMoney, playMoneySchema } from './prediction-params.ts'

const usd = z.number().describe('USD; 0 for play money')

export const eventSchema = z.object({
  id: z.string(),
  slug: z.string().describe('Unique across venues'),
  venue: z.enum(PREDICTION_VENUES),
  playMoney: playMoneySchema,
  title: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  imageUrl: z.string().nullable(),
  category: z.string().nullable(),
  tags: z.array(tagSchema),
  status: z
    .enum(['open', 'closed', 'resolved', 'cancelled'])
    .describe('Open while at least one of its markets is open'),
  marketsCount: z.number().int(),
  mutuallyExclusive: z.boolean().describe('Whether at most one of its markets resolves to Yes'),
  topOutcome: z
    .object({ marketSlug: z.string(), label: z.string(), price: z.number() })
    .nullable()
    .describe('Market with the highest price of Yes'),
  volume24h: usd,
  volumeTotal: usd,
  liquidity: usd,
  openInterest: usd,
  startDate: z.string().nullable(),
  endDate: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

export function toEvent(row: ServedEvent): z.infer<typeof eventSchema> {
  const { top_slug: marketSlug, top_label: label, top_price: price } = row
  return {
    id: String(row.id),
    slug: row.slug,
    venue: row.venue,
    playMoney: isPlayMoney(row.venue),
    title: row.title,
    url: row.url,
    description: row.description,
    imageUrl: row.image_url,
    category: row.category,
    tags: row.tags,
    status: row.status,
    marketsCount: row.markets_count,
    mutuallyExclusive: row.mutually_exclusive,
    topOutcome: marketSlug && label && price !== null ? { marketSlug, label, price: toNumber(price) } : null,
    volume24h: toNumber(row.volume_24h_usd),
    volumeTotal: toNumber(row.volume_total_usd),
    liquidity: toNumber(row.liquidity_usd),
    openInterest: toNumber(row.open_interest_usd),
    startDate: isoOrNull(row.start_at),
    endDate: isoOrNull(row.end_at),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
