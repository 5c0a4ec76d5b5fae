import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readEventsById } from '../../db/prediction/read-events.ts'
import { readMarketsById } from '../../db/prediction/read-markets.ts'
import { readLeaders } from '../../db/prediction/read-traders.ts'
import { searchItems, searchTraders } from '../../db/prediction/search.ts'
import { enumParam, integerParam, textParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { wrapped } from './envelope.ts'
import { eventSchema, toEvent } from './event.ts'
import { marketSchema, toMarket } from './market.ts'
import { statusParam, venueParam } from './prediction-params.ts'
import { keptLists } from './kept-lists.ts'
import { toTraderRow, traderRowSchema } from './trader-row.ts'
import { MARKETS } from './shared-tables.ts'

const countsSchema = z.object({
  markets: z.number().int(),
  events: z.number().int(),
  traders: z.number().int(),
})
const nothing = { ids: [], count: 0 }

export const getPredictionSearch = defineRoute({
  method: 'GET',
  path: '/prediction/search',
  tag: 'Prediction markets',
  summary: 'Search for markets, events and traders',
  description:
    'The best match comes first, then the largest volume. All words must occur, in any grammatical form; the last word may be a prefix. Traders match by the start of their name or address.',
  query: z.object({
    q: textParam({ maxLength: 100, description: 'At least 2 characters' })
      .refine((text) => text.length >= 2, 'It must be at least 2 characters long')
      .meta({ minLength: 2, maxLength: 100, example: 'bitcoin' }),
    type: enumParam(['all', 'markets', 'events', 'traders']).default('all'),
    venue: venueParam(),
    status: statusParam(),
    limit: integerParam({ minimum: 1, maximum: 50, description: 'Items of each type' }).default(10),
  }),
  response: z.object({
    success: z.literal(true),
    data: z.object({
      markets: z.array(marketSchema),
      events: z.array(eventSchema),
      traders: z.array(traderRowSchema),
    }),
    meta: z.object({
      query: z.string(),
      counts: countsSchema.describe('Numbers of all matches, not only those returned'),
    }),
    timestamp: z.string(),
  }),
  credits: 2,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: [...MARKETS, 'prediction_leaders', 'prediction_traders'], stamped: true },
  async handler({ query: { q, type, venue, status, limit } }, { db, now }) {
    const wants = (kind: string) => type === 'all' || type === kind
    const items = { text: q, venue, status, limit, kept: keptLists(db) }
    const [markets, events, traders] = await Promise.all([
      wants('markets') ? searchItems(db, { table: 'prediction_markets', ...items }) : nothing,
      wants('events') ? searchItems(db, { table: 'prediction_events', ...items }) : nothing,
      // Kalshi does not identify traders.
      wants('traders') && (venue ?? 'polymarket') === 'polymarket'
        ? searchTraders(db, { text: q, limit })
        : nothing,
    ])
    const [marketRows, eventRows, traderRows] = await Promise.all([
      readMarketsById(db, markets.ids),
      readEventsById(db, events.ids),
      readLeaders(db, traders.ids),
    ])
    const data = {
      markets: marketRows.map(toMarket),
      events: eventRows.map(toEvent),
      traders: traderRows.map(toTraderRow),
    }
    const counts = { markets: markets.count, events: events.count, traders: traders.count }
    return {
      body: { ...wrapped(data, now()), meta: { query: q, counts } },
      asOf: await readPredictionAsOf(db, venue),
    }
  },
})
