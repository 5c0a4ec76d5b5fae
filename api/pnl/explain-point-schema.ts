import { z } from 'zod'

/** A text, because clients check sums to the last digit, which a double cannot hold. */
export const amount = () => z.string().describe('Exact decimal')
const origin = {
  at: z.iso.datetime(),
  source: z
    .string()
    .describe(
      'Source of the price; `quote`: the newest quote, `transaction`: stated or paid with the transaction',
    ),
}
export const priceSchema = z.object({ usd: amount(), ...origin }).meta({ title: 'ExplainedPrice' })
export const correctedField = () =>
  z.literal(true).optional().describe('Present when an operator corrected this transaction or how it counts')
export const rateSchema = z
  .object({
    unitUsd: amount()
      .nullable()
      .describe('For BTC and ETH: price in USD by which amounts are divided, to 30 places'),
    perUsd: amount().nullable().describe('For a fiat currency: rate by which amounts in USD are multiplied'),
    ...origin,
  })
  .meta({ title: 'ExplainedRate' })
  .nullable()
  .describe('Null for USD, and before the first price of the currency, when the value is 0')
const ledger = z.string().describe('Network of the wallet, or id of the portfolio')
const position = { coinId: z.string(), count: amount(), valueUsd: amount() }

const endSchema = z
  .object({
    at: z.iso.datetime(),
    value: amount().describe('Sum of `ledgers` and `inFlight`'),
    valueUsd: amount(),
    rate: rateSchema,
    ledgers: z
      .array(z.object({ ledger, value: amount(), valueUsd: amount() }))
      .describe('The value of each in USD is the sum of its positions'),
    positions: z.object({
      count: z.number().int().describe('Number of items on all pages'),
      items: z
        .array(
          z.object({
            ledger,
            ...position,
            price: priceSchema
              .nullable()
              .describe('Null for a coin without a market price; its value is what was paid for it'),
            stale: z.boolean(),
          }),
        )
        .describe('Positions with a value, most valuable first'),
    }),
    inFlight: z
      .object({
        count: z.number().int().describe('Number of items on all pages'),
        items: z.array(
          z.object({
            from: ledger,
            to: ledger,
            leftAt: z.iso.datetime(),
            arrivesAt: z.iso.datetime(),
            ...position,
            price: priceSchema,
            value: amount(),
          }),
        ),
      })
      .describe('Transfers between the ledgers that were under way'),
  })
  .meta({ title: 'ExplainedValue' })

export const flowSchema = z
  .object({
    at: z.iso.datetime(),
    ledger,
    transaction: z.string().nullable().describe('Null for a first price'),
    isCorrected: correctedField(),
    value: amount(),
    valueUsd: amount().describe('Sum of the terms'),
    rate: rateSchema,
    reason: z
      .enum(['transfer', 'first price', 'own transfer'])
      .describe('`own transfer`: reverses the flow of one end of a transfer between the ledgers'),
    terms: z.array(
      z.object({
        coinId: z.string(),
        count: amount().describe('Positive in, negative out'),
        price: priceSchema
          .nullable()
          .describe('Null for a coin without a market price; the transaction tells its value'),
        valueUsd: amount(),
        kind: z
          .enum(['transfer', 'opening', 'unpriced swap', 'first price'])
          .describe(
            '`opening`: an amount that the history does not explain, such as coins sold but never bought. `unpriced swap`: coins without a market price whose cost is unknown, or a swap without any price',
          ),
      }),
    ),
  })
  .meta({ title: 'ExplainedFlow' })

export const pointSchema = z
  .object({
    figure: z.object({
      from: z.iso.datetime(),
      date: z.iso.datetime(),
      profitLoss: amount(),
      profitLossPercent: amount(),
      shown: z
        .object({ profitLoss: z.number(), profitLossPercent: z.number() })
        .describe('The same figures as the history returns them'),
    }),
    equation: z.literal('profitLoss = end.value - start.value - flows.value'),
    currency: z.string(),
    start: endSchema,
    end: endSchema,
    flows: z.object({
      value: amount().describe('Sum of all months'),
      months: z.array(z.object({ month: z.string(), value: amount() })),
      count: z.number().int().describe('Number of items on all pages'),
      items: z
        .array(flowSchema)
        .describe(
          'Oldest first. For a period of more than 31 days, only the flows of `month`, which add up to its value',
        ),
    }),
  })
  .meta({ title: 'ExplainedPoint' })
