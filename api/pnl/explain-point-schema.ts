import { z } from 'zod'

/** Sums have to be checked to the last digit, which a double does not hold. */
export const amount = () => z.string().describe('Exact decimal')
const origin = { at: z.iso.datetime(), source: z.string() }
export const priceSchema = z.object({ usd: amount(), ...origin })
export const correctedField = () =>
  z.literal(true).optional().describe('The operator says that it is so, the exchange states it otherwise')
export const rateSchema = z
  .object({
    unitUsd: amount().nullable().describe('Of BTC and ETH, which amounts are divided by, to 30 places'),
    perUsd: amount().nullable().describe('Of a fiat currency, which amounts are multiplied by'),
    ...origin,
  })
  .nullable()
  .describe('Null for USD, and where there is no price yet: the value is 0 then')
const ledger = z.string().describe('Network of the wallet, or id of the portfolio')
const position = { coinId: z.string(), count: amount(), price: priceSchema, valueUsd: amount() }

const endSchema = z.object({
  at: z.iso.datetime(),
  value: amount().describe('Of `ledgers` and `inFlight` together'),
  valueUsd: amount(),
  rate: rateSchema,
  ledgers: z
    .array(z.object({ ledger, value: amount(), valueUsd: amount() }))
    .describe('In USD each is the sum of its positions'),
  positions: z.object({
    count: z.number().int().describe('On all pages'),
    items: z
      .array(z.object({ ledger, ...position, stale: z.boolean() }))
      .describe('What has a price, the most valuable first'),
  }),
  inFlight: z
    .object({
      count: z.number().int().describe('On all pages'),
      items: z.array(
        z.object({
          from: ledger,
          to: ledger,
          leftAt: z.iso.datetime(),
          arrivesAt: z.iso.datetime(),
          ...position,
          value: amount(),
        }),
      ),
    })
    .describe('Transfers between the ledgers that had left and not arrived'),
})

export const flowSchema = z.object({
  at: z.iso.datetime(),
  ledger,
  transaction: z.string().nullable().describe('Null for a first price'),
  isCorrected: correctedField(),
  value: amount(),
  valueUsd: amount().describe('The sum of the terms'),
  rate: rateSchema,
  reason: z
    .enum(['transfer', 'first price', 'own transfer'])
    .describe('`own transfer`: takes back what the flow of one of its ends counts'),
  terms: z.array(
    z.object({
      coinId: z.string(),
      count: amount().describe('Positive in, negative out'),
      price: priceSchema,
      valueUsd: amount(),
      kind: z
        .enum(['transfer', 'opening', 'unpriced swap', 'first price'])
        .describe('`opening`: what the history does not explain, or was sold without having been bought'),
    }),
  ),
})

export const pointSchema = z.object({
  figure: z.object({
    from: z.iso.datetime(),
    date: z.iso.datetime(),
    profitLoss: amount(),
    profitLossPercent: amount(),
    shown: z.object({ profitLoss: z.number(), profitLossPercent: z.number() }).describe('As in the history'),
  }),
  equation: z.literal('profitLoss = end.value - start.value - flows.value'),
  currency: z.string(),
  start: endSchema,
  end: endSchema,
  flows: z.object({
    value: amount().describe('Of all months'),
    months: z.array(z.object({ month: z.string(), value: amount() })),
    count: z.number().int().describe('On all pages'),
    items: z
      .array(flowSchema)
      .describe(
        'The oldest first; of a period of more than 31 days those of `month` alone, which add up to its value',
      ),
  }),
})
