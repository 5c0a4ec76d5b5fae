import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readHolders, type ServedHolder } from '../../db/prediction/read-details.ts'
import { readMarket } from '../../db/prediction/read-markets.ts'
import { limit } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest, toNumber } from '../shapes.ts'
import { dataSchema, wrapped } from './envelope.ts'
import { numberOrNull, outcomeId } from './market.ts'
import { outcomeOf, outcomeParam } from './outcome-param.ts'
import { marketNotFound, slugParam } from './prediction-params.ts'
import { personSchema } from './trade.ts'
import { MARKETS } from './shared-tables.ts'

const holderSchema = z.object({
  rank: z.number().int(),
  trader: personSchema,
  shares: z.number(),
  value: z.number().describe('Value at the current price, USD'),
  avgPrice: z.number().nullable().describe('Average price of the known purchases; null without one'),
  unrealizedPnl: z
    .number()
    .nullable()
    .describe('Profit of the shares at the current price, USD; null without `avgPrice`'),
  sharePercent: z.number().nullable().describe('Percent of all shares of the outcome; null when unknown'),
})

export const getHolders = defineRoute({
  method: 'GET',
  path: '/prediction/markets/{slug}/holders',
  tag: 'Prediction markets',
  summary: 'Largest holders of each outcome',
  description: 'Empty for Kalshi, which does not identify traders.',
  pathParams: z.object({ slug: slugParam('Slug of the market') }),
  query: z.object({ outcome: outcomeParam('all'), limit: limit(100) }),
  response: dataSchema(
    z.array(z.object({ outcomeId: z.string(), outcome: z.string(), holders: z.array(holderSchema) })),
  ),
  credits: 3,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: {
    reads: [...MARKETS, 'prediction_holders', 'prediction_positions', 'prediction_traders'],
    stamped: true,
  },
  async handler({ path: { slug }, query }, { db, now }) {
    const market = await readMarket(db, slug)
    if (!market) throw marketNotFound()
    const wanted = outcomeOf(market, query.outcome)
    const outcomes = wanted ? [wanted] : market.outcomes
    const positions = outcomes.map(({ position }) => position)
    const rows = await readHolders(db, { marketId: market.id, outcomes: positions, limit: query.limit })
    const data = outcomes.map(({ position, name, price }) => ({
      outcomeId: outcomeId({ marketId: market.id, position }),
      outcome: name,
      holders: rows
        .filter(({ outcome }) => outcome === position)
        .map((row) => toHolder(row, toNumber(price))),
    }))
    const asOf = oldest(rows.map((row) => row.fetched_at)) ?? (await readPredictionAsOf(db, market.venue))
    return { body: wrapped(data, now()), asOf }
  },
})

function toHolder(row: ServedHolder, price: number): z.infer<typeof holderSchema> {
  const shares = toNumber(row.shares)
  const avgPrice = numberOrNull(row.average_price)
  return {
    rank: row.rank,
    trader: { address: row.address, name: row.name, avatar: row.avatar_url },
    shares,
    value: shares * price,
    avgPrice,
    unrealizedPnl: avgPrice === null ? null : shares * (price - avgPrice),
    sharePercent: row.share === null ? null : toNumber(row.share) * 100,
  }
}
