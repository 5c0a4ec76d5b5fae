import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { MARKET_SORTS, type MarketSort, readMarketPage } from '../../db/prediction/read-markets.ts'
import { enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { listSchema, wrappedPage } from './envelope.ts'
import { keptLists } from './kept-lists.ts'
import { marketSchema, toMarket } from './market.ts'
import { itemFilters, slugParam } from './prediction-params.ts'
import { MARKETS } from './shared-tables.ts'

const SORTS = Object.keys(MARKET_SORTS) as MarketSort[]

export const getPredictionMarkets = defineRoute({
  method: 'GET',
  path: '/prediction/markets',
  tag: 'Prediction markets',
  summary: 'Prediction markets of all venues',
  description: 'Unknown values sort as the lowest.',
  query: z.object({
    ...itemFilters,
    eventSlug: slugParam('Slug of an event').optional(),
    sortBy: enumParam(SORTS).default('volume24h'),
  }),
  response: listSchema(marketSchema),
  credits: 2,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: [...MARKETS, 'prediction_counts'], stamped: true },
  async handler({ query: { tag, ...query } }, { db, now }) {
    const offset = (query.page - 1) * query.limit
    const [{ rows, itemCount }, asOf] = await Promise.all([
      readMarketPage(db, { ...query, tags: tag, offset }, keptLists(db)),
      readPredictionAsOf(db, query.venue),
    ])
    return { body: wrappedPage(rows.map(toMarket), { ...query, now: now(), itemCount }), asOf }
  },
})
