import { z } from 'zod'
import type { AlertRule } from '../../db/events/alert-write.ts'
import { ALERT_TYPES, type AlertType } from '../../db/events/event-types.ts'
import type { Alert } from '../../db/events/read-alerts.ts'
import { identifierField } from '../body-fields.ts'
import { oneOf } from '../reasons.ts'

const HOUR_S = 3_600
const WEEK_S = 7 * 24 * HOUR_S

const marketId = identifierField().describe('Id of a prediction market')
const probability = (what: string) => z.number().min(0.01).max(0.99).describe(what).optional()
const usd = (what: string) => z.number().min(1e-18).max(1e18).describe(what).optional()

const endpointId = z
  .string()
  .nullable()
  .describe('The webhook endpoint that gets the events. null: each whose `types` have the type')

/** The fields of an alert that its owner decides, by type. */
const FIELDS = {
  'portfolio.value': {
    portfolioId: identifierField().describe('Id of a portfolio'),
    changePercent: z
      .number()
      .min(0.5)
      .max(10_000)
      .describe('Fires when the value in USD has moved so far, up or down, since it last fired or was added'),
    everySeconds: z
      .int()
      .min(60)
      .max(WEEK_S)
      .default(60)
      .describe('It fires once in so many seconds at most'),
  },
  'coin.price': {
    coinId: identifierField().describe('Id of a coin'),
    above: usd('Fires when the price in USD rises to it'),
    below: usd('Fires when the price in USD falls to it'),
    changePercent: z
      .number()
      .min(1)
      .max(10_000)
      .describe('Fires when the price has moved so far, up or down, in `windowSeconds`')
      .optional(),
    windowSeconds: z
      .int()
      .min(HOUR_S)
      .max(WEEK_S)
      .describe('The price is compared with the hourly one so long ago')
      .optional(),
  },
  'market.price': {
    marketId,
    outcomeId: z.string().optional().describe('Id of an outcome; absent: Yes, or the first one'),
    above: probability('Fires when the price of the outcome rises to it'),
    below: probability('Fires when the price of the outcome falls to it'),
  },
  'market.resolved': { marketId },
} satisfies Record<AlertType, object>

/** Which of them says what the alert is about. */
export const SUBJECTS = {
  'portfolio.value': 'portfolioId',
  'coin.price': 'coinId',
  'market.price': 'marketId',
  'market.resolved': 'marketId',
} as const satisfies Record<AlertType, string>

const typeOf = (given: unknown): unknown => (given as { type?: unknown }).type

const asked = { endpointId: endpointId.default(null) }

export const alertBody = z
  .discriminatedUnion(
    'type',
    [
      z
        .strictObject({ type: z.literal('portfolio.value'), ...FIELDS['portfolio.value'], ...asked })
        .meta({ title: 'NewPortfolioValueAlert' }),
      z
        .strictObject({ type: z.literal('coin.price'), ...FIELDS['coin.price'], ...asked })
        .meta({ title: 'NewCoinPriceAlert' }),
      z
        .strictObject({ type: z.literal('market.price'), ...FIELDS['market.price'], ...asked })
        .meta({ title: 'NewMarketPriceAlert' }),
      z
        .strictObject({ type: z.literal('market.resolved'), ...FIELDS['market.resolved'], ...asked })
        .meta({ title: 'NewMarketResolvedAlert' }),
    ],
    {
      error: (issue) =>
        issue.code === 'invalid_union' ? oneOf(ALERT_TYPES, typeOf(issue.input)) : undefined,
    },
  )
  .superRefine((alert, context) => {
    const wrong = wrongField(alert)
    if (wrong) context.addIssue({ code: 'custom', ...wrong })
  })

/** A field that does not fit the others. */
function wrongField(alert: { type: AlertType } & Record<string, unknown>) {
  const { above, below, changePercent, windowSeconds } = alert
  const limits = [above, below, changePercent].filter((one) => one !== undefined)
  const names = alert.type === 'coin.price' ? '`above`, `below` and `changePercent`' : '`above` and `below`'
  if (alert.type.endsWith('.price') && limits.length !== 1)
    return { path: ['above'], message: `One of ${names} is required` }
  if (alert.type === 'coin.price' && (changePercent === undefined) !== (windowSeconds === undefined))
    return { path: ['windowSeconds'], message: '`changePercent` and `windowSeconds` need each other' }
  return null
}

const shown = {
  id: z.string(),
  endpointId,
  armed: z
    .boolean()
    .describe(
      'false: it has fired, or the value was past the limit when the alert was added. It is armed again once the value is far enough behind the limit. Of a portfolio always true',
    ),
  firedAt: z.string().nullable().describe('RFC 3339; null: never'),
  createdAt: z.string(),
}

export const alertSchema = z.discriminatedUnion('type', [
  z
    .object({ type: z.literal('portfolio.value'), ...FIELDS['portfolio.value'], ...shown })
    .meta({ title: 'PortfolioValueAlert' }),
  z
    .object({ type: z.literal('coin.price'), ...FIELDS['coin.price'], ...shown })
    .meta({ title: 'CoinPriceAlert' }),
  z
    .object({ type: z.literal('market.price'), ...FIELDS['market.price'], ...shown })
    .meta({ title: 'MarketPriceAlert' }),
  z
    .object({ type: z.literal('market.resolved'), ...FIELDS['market.resolved'], ...shown })
    .meta({ title: 'MarketResolvedAlert' }),
])

/** What an alert is about and when it fires, as they are stored. */
export function statedAlert(body: z.output<typeof alertBody>): Pick<Alert, 'type' | 'subject' | 'rule'> {
  const { type, endpointId: _endpointId, ...fields } = body
  const { [SUBJECTS[type]]: subject, ...rule } = fields as { [name: string]: string } & AlertRule
  return { type, subject: subject!, rule }
}

export function describeAlert(alert: Alert): z.output<typeof alertSchema> {
  const { type, subject, rule, firedAt, createdAt, ...rest } = alert
  return {
    ...rest,
    type,
    [SUBJECTS[type]]: subject,
    ...rule,
    firedAt: firedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  } as z.output<typeof alertSchema>
}
