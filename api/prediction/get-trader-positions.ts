import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import {
  POSITION_SORTS,
  type PositionSort,
  readPositionPage,
  type ServedPosition,
} from '../../db/prediction/read-positions.ts'
import { PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { ratio, toNumber } from '../shapes.ts'
import { listSchema, wrappedPage } from './envelope.ts'
import { isoOrNull, outcomeId } from './market.ts'
import { addressPath, paging, requireTrader } from './prediction-params.ts'
import { TRADERS } from './shared-tables.ts'

const SORTS = Object.keys(POSITION_SORTS) as PositionSort[]

const positionSchema = z.object({
  marketSlug: z.string(),
  question: z.string(),
  eventSlug: z.string().nullable(),
  venue: z.enum(PREDICTION_VENUES),
  outcomeId: z.string(),
  outcome: z.string(),
  shares: z.number().describe('Shares held; for a won or lost position, those held at the end'),
  avgPrice: z.number().describe('Average price of all purchases'),
  currentPrice: z.number(),
  costBasis: z.number().describe('Cost of the shares held, at average cost, USD'),
  value: z.number().describe('Value of the shares held at the current price, USD'),
  unrealizedPnl: z.number().describe('0 for a closed position'),
  unrealizedPnlPercent: z.number(),
  realizedPnl: z.number(),
  status: z.enum(['open', 'won', 'lost', 'sold']),
  openedAt: z.string(),
  closedAt: z.string().nullable(),
  endDate: z.string().nullable(),
  redeemable: z.boolean().describe('Whether the shares pay out'),
})

export const getTraderPositions = defineRoute({
  method: 'GET',
  path: '/prediction/traders/{address}/positions',
  tag: 'Prediction markets',
  summary: 'Positions of a trader',
  pathParams: addressPath,
  query: z.object({
    status: enumParam(['open', 'closed', 'all']).default('open'),
    sortBy: enumParam(SORTS, 'The largest or latest first').default('value'),
    ...paging,
  }),
  response: listSchema(positionSchema),
  credits: 3,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: [...TRADERS, 'prediction_events', 'prediction_markets'], stamped: true },
  async handler({ path: { address }, query }, { db, now }) {
    const { id: traderId } = await requireTrader(db, address)
    const offset = (query.page - 1) * query.limit
    const { rows, itemCount } = await readPositionPage(db, { ...query, traderId, offset })
    return {
      body: wrappedPage(rows.map(toPosition), { ...query, now: now(), itemCount }),
      asOf: await readPredictionAsOf(db, 'polymarket'),
    }
  },
})

function toPosition(row: ServedPosition): z.infer<typeof positionSchema> {
  const [shares, price, cost] = [row.shares, row.price, row.cost_usd].map(toNumber) as [
    number,
    number,
    number,
  ]
  const value = shares * price
  const unrealizedPnl = row.status === 'open' ? value - cost : 0
  return {
    marketSlug: row.market_slug,
    question: row.question,
    eventSlug: row.event_slug,
    venue: row.venue,
    outcomeId: outcomeId({ marketId: row.market_id, position: row.outcome }),
    outcome: row.outcome_name,
    shares,
    avgPrice: ratio(row.bought_usd, row.bought_shares),
    currentPrice: price,
    costBasis: cost,
    value,
    unrealizedPnl,
    unrealizedPnlPercent: cost > 0 ? (unrealizedPnl * 100) / cost : 0,
    realizedPnl: toNumber(row.realized_usd),
    status: row.status,
    openedAt: row.opened_at.toISOString(),
    closedAt: isoOrNull(row.closed_at),
    endDate: isoOrNull(row.end_at),
    redeemable: row.status === 'won',
  }
}
