import { z } from 'zod'
import { COST_METHODS } from '../../db/pnl/lots/lot-pool.ts'
import { amount, correctedField, priceSchema } from './explain-point-schema.ts'
import { scoredHoldingSchema } from '../chain/holdings.ts'

const triple = z.object({ USD: amount(), BTC: amount(), ETH: amount() }).meta({ title: 'ExactAmounts' })
const byKey = z
  .object({
    allTime: triple,
    hour24: triple,
    lastTrade: triple,
    unrealized: triple,
    realized: triple,
  })
  .meta({ title: 'ExactProfitAmounts' })
const counted = z.object({ count: amount(), amount: triple }).meta({ title: 'CountedAmounts' })

/** Totals of a fold, for one month or for all. */
const totals = {
  count: amount().describe('Quantity held at a known cost'),
  cost: triple.describe('Cost basis of the quantity held'),
  acquired: counted.describe('Quantity acquired and its cost'),
  disposed: counted.describe('Quantity disposed of and its proceeds'),
  disposedCost: triple,
  sold: counted.describe('Quantity sold or sent and its proceeds'),
  carried: counted.describe('Net quantity moved by wraps and the like, and its cost basis'),
  uncovered: amount().describe('Quantity disposed of that was never acquired'),
  unvalued: amount().describe('Quantity held at an unknown cost, while the coin has no market price'),
  paidUsd: amount().describe('What was paid for the quantity held, while the coin had no market price'),
}

const lot = z
  .object({
    acquiredAt: z.iso
      .datetime()
      .nullable()
      .describe('Null with the method `average`, where all lots are one'),
    count: amount(),
    cost: amount(),
  })
  .meta({ title: 'Lot' })
const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ count: z.number().int().describe('Number of items on all pages'), items: z.array(item) })

/** Lots by unit, because the dearest lot in USD need not be the dearest in BTC. */
const lots = z.object({ USD: listOf(lot), BTC: listOf(lot), ETH: listOf(lot) }).meta({ title: 'LotsByUnit' })

const entrySchema = z
  .object({
    at: z.iso.datetime(),
    ledger: z.string().nullable().describe('Null for a first price, which counts for all ledgers together'),
    transaction: z.string(),
    isCorrected: correctedField(),
    kind: z.enum(['acquire', 'dispose', 'carry out', 'carry in']),
    reason: z.string().nullable(),
    count: amount(),
    amount: triple.describe('Cost of an acquisition or proceeds of a disposal'),
    cost: triple.describe('Cost of the lots'),
    lots: lots.describe(
      'Lots added or used; all of them add up to the cost. Without `entry` only the first `limit` are listed',
    ),
    uncovered: amount().describe('Quantity disposed of that was never acquired'),
    units: z
      .object({ BTC: priceSchema.nullable(), ETH: priceSchema.nullable() })
      .describe('Prices in USD by which amounts in USD are divided, to 30 places'),
    legs: z
      .array(
        z.object({ coinId: z.string(), count: amount(), role: z.string(), price: priceSchema.nullable() }),
      )
      .describe('All legs of the transaction'),
  })
  .meta({ title: 'LotEntry' })

export const coinSchema = z
  .object({
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
      shown: scoredHoldingSchema.describe('The same coin as the list of coins returns it'),
    }),
    equations: z.array(z.string()),
    prices: z
      .object({ now: priceSchema.nullable(), dayAgo: priceSchema.nullable() })
      .describe('Null when the coin has no market price yet; it counts with what was paid for it'),
    units: z.object({
      now: z.object({ BTC: priceSchema.nullable(), ETH: priceSchema.nullable() }),
      dayAgo: z.object({ BTC: priceSchema.nullable(), ETH: priceSchema.nullable() }),
    }),
    totals: z.object(totals).describe('Sums of the months'),
    months: listOf(z.object({ month: z.string(), ...totals })).describe('Oldest first'),
    openLots: lots.describe('Lots still held; they add up to the cost basis'),
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
          count: amount().describe('Positive in, negative out; 0 when nothing was held of what went out'),
          isTrade: z.boolean(),
          amount: triple.describe('Cost or proceeds'),
          paidUsd: amount().describe('Change of what was paid, while the coin had no market price'),
          market: triple.describe('Market value; 0 for fees and income, which are profit or loss'),
        }),
      ),
    }),
    entries: listOf(entrySchema)
      .nullable()
      .describe('Entries that add up to the requested `month`; null without it'),
  })
  .meta({ title: 'ExplainedCoin' })

export const EQUATIONS = [
  'count = totals.count + totals.unvalued',
  'value = count * price; without a price, totals.paidUsd',
  'unrealized = value - totalCost',
  'realized = disposed.amount - disposedCost',
  'allTime = realized + unrealized',
  'hour24 = value - hour24.dayAgo.value - hour24.acquired + hour24.disposed',
  'lastTrade, 0 without a price = count * price - amount of the last buy; amount - count * price of the last sell',
  'profitPercent = profit * 100 / base, 0 where the base is 0',
  'averageBuy: allTime = acquired.amount / acquired.count, unrealized = totalCost / totals.count, realized = disposedCost / disposed.count, hour24 = hour24.bought.amount / hour24.bought.count',
  'averageSell: allTime = realized = sold.amount / sold.count, hour24 = hour24.sold.amount / hour24.sold.count',
]
