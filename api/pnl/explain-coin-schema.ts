import { z } from 'zod'
import { COST_METHODS } from '../../db/values/cost-methods.ts'
import { amount, correctedField, priceSchema } from './explain-point-schema.ts'
import { scoredHoldingSchema } from '../chain/holdings.ts'

const triple = z.object({ USD: amount(), BTC: amount(), ETH: amount() })
const byKey = z.object({
  allTime: triple,
  hour24: triple,
  lastTrade: triple,
  unrealized: triple,
  realized: triple,
})
const counted = z.object({ count: amount(), amount: triple })

/** What a fold adds up, of a month or of all of them. */
const totals = {
  count: amount().describe('Held'),
  cost: triple.describe('Of what is held'),
  acquired: counted.describe('Its cost'),
  disposed: counted.describe('Its proceeds'),
  disposedCost: triple,
  sold: counted.describe('Proceeds of what was sold or sent'),
  carried: counted.describe('What wraps and the like brought with its cost, less what they took'),
  uncovered: amount().describe('Went out without being there'),
}

const lot = z.object({
  acquiredAt: z.iso.datetime().nullable().describe('Null at average cost: all lots are one'),
  count: amount(),
  cost: amount(),
})
const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ count: z.number().int().describe('On all pages'), items: z.array(item) })

/** They differ by unit: the dearest in USD need not be the dearest in BTC. */
const lots = z.object({ USD: listOf(lot), BTC: listOf(lot), ETH: listOf(lot) })

const entrySchema = z.object({
  at: z.iso.datetime(),
  ledger: z.string().nullable().describe('Null for a first price: of all together'),
  transaction: z.string(),
  isCorrected: correctedField(),
  kind: z.enum(['acquire', 'dispose', 'carry out', 'carry in']),
  reason: z.string().nullable(),
  count: amount(),
  amount: triple.describe('Cost of an acquisition, proceeds of a disposal'),
  cost: triple.describe('Of the lots'),
  lots: lots.describe(
    'What came in, or what it was taken from; all of them add up to the cost. The first of them, where no `entry` was asked for',
  ),
  uncovered: amount().describe('Went out without being there'),
  units: z
    .object({ BTC: priceSchema.nullable(), ETH: priceSchema.nullable() })
    .describe('What amounts in USD are divided by, to 30 places'),
  legs: z
    .array(z.object({ coinId: z.string(), count: amount(), role: z.string(), price: priceSchema.nullable() }))
    .describe('Of the whole transaction'),
})

export const coinSchema = z.object({
  figure: z.object({
    coinId: z.string(),
    method: z.enum(COST_METHODS),
    count: amount(),
    price: triple,
    value: triple,
    totalCost: triple,
    profit: byKey,
    base: byKey,
    profitPercent: byKey,
    averageBuy: byKey,
    averageSell: byKey,
    shown: scoredHoldingSchema.describe('As in the list of coins'),
  }),
  equations: z.array(z.string()),
  prices: z
    .object({ now: priceSchema.nullable(), dayAgo: priceSchema.nullable() })
    .describe('Null: never yet, it counts as 0'),
  units: z.object({
    now: z.object({ BTC: priceSchema.nullable(), ETH: priceSchema.nullable() }),
    dayAgo: z.object({ BTC: priceSchema.nullable(), ETH: priceSchema.nullable() }),
  }),
  totals: z.object(totals).describe('The sums of the months'),
  months: listOf(z.object({ month: z.string(), ...totals })).describe('The oldest first'),
  openLots: lots.describe('They add up to the cost'),
  lastTrade: z.object({ side: z.enum(['buy', 'sell']), count: amount(), amount: triple }).nullable(),
  hour24: z.object({
    dayAgo: z.object({ count: amount(), value: triple }),
    acquired: triple,
    disposed: triple,
    bought: counted,
    sold: counted,
    moves: listOf(
      z.object({
        at: z.iso.datetime(),
        count: amount().describe('Positive in, negative out; 0 where nothing of what went out was there'),
        isTrade: z.boolean(),
        amount: triple.describe('Cost or proceeds'),
        market: triple.describe('0 for fees and income, which are profit'),
      }),
    ),
  }),
  entries: listOf(entrySchema).nullable().describe('What the month that was asked for is the sum of'),
})

export const EQUATIONS = [
  'value = count * price',
  'unrealized = value - totalCost',
  'realized = disposed.amount - disposedCost',
  'allTime = realized + unrealized',
  'hour24 = value - hour24.dayAgo.value - hour24.acquired + hour24.disposed',
  'lastTrade = count * price - amount of the last buy; amount - count * price of the last sell',
  'profitPercent = profit * 100 / base, 0 where the base is 0',
  'averageBuy: allTime = acquired.amount / acquired.count, unrealized = totalCost / count, realized = disposedCost / disposed.count, hour24 = bought.amount / bought.count',
  'averageSell: allTime = realized = sold.amount / sold.count, hour24 = hour24.sold.amount / hour24.sold.count',
]
