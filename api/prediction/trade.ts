import { z } from 'zod'
import type { ServedTrade } from '../../db/prediction/read-trades.ts'
import { PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { toNumber } from '../shapes.ts'
import { outcomeId } from './market.ts'

export const personSchema = z
  .object({
    address: z.string(),
    name: z.string().nullable(),
    avatar: z.string().nullable(),
  })
  .meta({ title: 'PredictionPerson' })

export const tradeSchema = z.object({
  id: z.string(),
  date: z.string(),
  marketSlug: z.string(),
  question: z.string(),
  venue: z.enum(PREDICTION_VENUES),
  side: z.enum(['buy', 'sell']),
  outcomeId: z.string(),
  outcome: z.string(),
  price: z.number(),
  size: z.number().describe('Shares'),
  value: z.number().describe('Price times size, USD'),
  trader: personSchema.nullable().describe('null when the venue does not identify traders'),
  txHash: z.string().nullable(),
})

export function toTrade(row: ServedTrade): z.infer<typeof tradeSchema> {
  return {
    id: row.id,
    date: row.at.toISOString(),
    marketSlug: row.market_slug,
    question: row.question,
    venue: row.venue,
    side: row.side,
    outcomeId: outcomeId({ marketId: row.market_id, position: row.outcome }),
    outcome: row.outcome_name,
    price: toNumber(row.price),
    size: toNumber(row.size),
    value: toNumber(row.value_usd),
    trader: row.address === null ? null : { address: row.address, name: row.name, avatar: row.avatar_url },
    txHash: row.tx_hash,
  }
}
