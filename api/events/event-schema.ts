import { z } from 'zod'
import { transactionSchema } from '../../db/chain/served-transaction.ts'

const place = {
  address: z.string(),
  connectionId: z.string().describe('Network'),
  blockchain: z.string(),
}
const amount = z.string().describe('Exact decimal number')

const envelope = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({
    id: z.string().describe('The same in every attempt to send the event'),
    type: z.literal(type),
    timestamp: z.iso.datetime().describe('When the event was made'),
    seq: z
      .string()
      .describe('Place in the order of events, a whole number: send the last one as `after` to go on'),
    data,
  })

const transactionEvent = envelope(
  'wallet.transaction',
  z.object({
    ...place,
    status: z
      .enum(['unconfirmed', 'confirmed', 'reorged'])
      .describe(
        '`unconfirmed`: a reorg may still replace its block; `confirmed`: none can; `reorged`: one has',
      ),
    blockNumber: z.number().int(),
    blockHash: z.string(),
    late: z.boolean().describe('The block was more than ten minutes old when the transaction was found'),
    truncated: z.literal(true).optional().describe('Lists of the transaction are cut'),
    url: z.string().optional().describe('Where the whole transaction is, if it is cut'),
    transaction: transactionSchema.describe('The item of GET /wallet/transactions in USD'),
  }),
)

const balanceEvent = envelope(
  'wallet.balance',
  z.object({
    ...place,
    coinId: z.string(),
    amount,
    previousAmount: amount,
    priceUsd: z.number().nullable().describe('null: the coin has no price'),
    blockNumber: z.number().int(),
  }),
)

const syncedEvent = envelope(
  'wallet.synced',
  z.object({
    ...place,
    transactions: z.number().int().describe('Transactions of the wallet on the network'),
  }),
)

const exchangePlace = { portfolioId: z.string(), connectionId: z.string().describe('Exchange') }

const exchangeTransactionEvent = envelope(
  'exchange.transaction',
  z.object({
    ...exchangePlace,
    late: z.boolean().describe('It was more than ten minutes old when it was found'),
    transaction: transactionSchema.describe('The item of GET /exchange/transactions in USD'),
  }),
)

const exchangeSyncedEvent = envelope(
  'exchange.synced',
  z.object({
    ...exchangePlace,
    transactions: z.number().int().describe('Settled transactions of the exchange account'),
  }),
)

const valueEvent = envelope(
  'portfolio.value',
  z.object({
    alertId: z.string(),
    portfolioId: z.string(),
    valueUsd: z.number().describe('`totalValue` of GET /portfolio/value in USD'),
    previousValueUsd: z.number().describe('As told by the event before, or when the alert was added'),
    changePercent: z.number().nullable().describe('null: the portfolio was worth nothing'),
    rule: z
      .object({ changePercent: z.number(), everySeconds: z.number().int() })
      .describe('As the alert states it'),
  }),
)

const priceEvent = envelope(
  'coin.price',
  z.object({
    alertId: z.string(),
    coinId: z.string(),
    priceUsd: z.number(),
    priceAt: z.iso.datetime(),
    changePercent: z
      .number()
      .nullable()
      .describe('How far the price has moved in the window of the rule; null: the rule has none'),
    rule: z
      .object({
        above: z.number().optional(),
        below: z.number().optional(),
        changePercent: z.number().optional(),
        windowSeconds: z.number().int().optional(),
      })
      .describe('As the alert states it'),
  }),
)

const marketFields = {
  alertId: z.string(),
  marketId: z.string(),
  slug: z.string().describe('Of GET /prediction/markets/{slug}'),
  venue: z.string(),
  question: z.string(),
  status: z.enum(['open', 'closed', 'resolved', 'cancelled']),
  outcomes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      price: z.number().describe('0 to 1'),
      winner: z.boolean().nullable().describe('null until the market is resolved'),
    }),
  ),
}

const marketPriceEvent = envelope(
  'market.price',
  z.object({
    ...marketFields,
    rule: z
      .object({
        outcomeId: z.string().optional(),
        above: z.number().optional(),
        below: z.number().optional(),
      })
      .describe('As the alert states it'),
  }),
)
const marketResolvedEvent = envelope('market.resolved', z.object({ ...marketFields, rule: z.object({}) }))

const disabledEvent = envelope('endpoint.disabled', z.object({ endpointId: z.string(), reason: z.string() }))
const pingEvent = envelope('test.ping', z.object({ endpointId: z.string() }))

export const eventSchema = z.union([
  transactionEvent,
  balanceEvent,
  syncedEvent,
  exchangeTransactionEvent,
  exchangeSyncedEvent,
  valueEvent,
  priceEvent,
  marketPriceEvent,
  marketResolvedEvent,
  disabledEvent,
  pingEvent,
])
