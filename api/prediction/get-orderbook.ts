import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readOrderBook } from '../../db/prediction/read-details.ts'
import { readMarket } from '../../db/prediction/read-markets.ts'
import { integerParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'
import { dataSchema, wrapped } from './envelope.ts'
import { numberOrNull, outcomeId } from './market.ts'
import { outcomeOf, outcomeParam } from './outcome-param.ts'
import { marketNotFound, slugParam } from './prediction-params.ts'
import { MARKETS } from './shared-tables.ts'

const level = z.object({
  price: z.number(),
  size: z.number().describe('Shares'),
  total: z.number().describe('Shares of this level and all better levels'),
})
const schema = z.object({
  slug: z.string(),
  outcomeId: z.string(),
  outcome: z.string(),
  bids: z.array(level).describe('The highest first'),
  asks: z.array(level).describe('The lowest first'),
  bestBid: z.number().nullable(),
  bestAsk: z.number().nullable(),
  midpoint: z.number().nullable(),
  spread: z.number().nullable(),
  tickSize: z.number().nullable(),
  updatedAt: z.string().describe('ISO 8601, time of this state of the order book'),
})

export const getOrderbook = defineRoute({
  method: 'GET',
  path: '/prediction/markets/{slug}/orderbook',
  tag: 'Prediction markets',
  summary: 'Order book of an outcome',
  description: 'The order book is empty unless the market is open.',
  pathParams: z.object({ slug: slugParam('Slug of the market') }),
  query: z.object({
    outcome: outcomeParam('the first'),
    depth: integerParam({ minimum: 1, maximum: 100, description: 'Levels of each side' }).default(20),
  }),
  response: dataSchema(schema),
  credits: 2,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: [...MARKETS, 'prediction_books'], stamped: true },
  async handler({ path: { slug }, query }, { db, now }) {
    const market = await readMarket(db, slug)
    if (!market) throw marketNotFound()
    const { position, name } = outcomeOf(market, query.outcome) ?? market.outcomes[0]!
    const orderBook =
      market.status === 'open'
        ? await readOrderBook(db, { marketId: market.id, outcome: position })
        : undefined
    const bids = levelsOf(orderBook?.bids ?? [], query.depth)
    const asks = levelsOf(orderBook?.asks ?? [], query.depth)
    const [bestBid, bestAsk] = [bids[0]?.price ?? null, asks[0]?.price ?? null]
    const both = bestBid !== null && bestAsk !== null
    const data = {
      slug,
      outcomeId: outcomeId({ marketId: market.id, position }),
      outcome: name,
      bids,
      asks,
      bestBid,
      bestAsk,
      midpoint: both ? Number(((bestBid + bestAsk) / 2).toFixed(6)) : null,
      spread: both ? Number((bestAsk - bestBid).toFixed(6)) : null,
      tickSize: numberOrNull(orderBook?.tick_size ?? market.tick_size),
      updatedAt: (orderBook?.at ?? market.updated_at).toISOString(),
    }
    return { body: wrapped(data, now()), asOf: orderBook?.at ?? (await readPredictionAsOf(db, market.venue)) }
  },
})

function levelsOf(levels: readonly [price: string, size: string][], depth: number) {
  let total = 0
  return levels.slice(0, depth).map(([price, size]) => {
    total += toNumber(size)
    return { price: toNumber(price), size: toNumber(size), total: Number(total.toFixed(6)) }
  })
}
