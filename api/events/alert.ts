import { z } from 'zod'
import type { AlertRule } from '../../db/events/alert-write.ts'
import type { AlertType } from '../../db/events/event-types.ts'
import type { Alert } from '../../db/events/read-alerts.ts'
import { identifierField } from '../params.ts'
import { oneOf } from '../reasons.ts'

const HOUR_S = 3_600
const WEEK_S = 7 * 24 * HOUR_S

const usd = (what: string) => z.number().min(1e-18).max(1e18).describe(what).optional()

const endpointId = z
  .string()
  .nullable()
  .describe('The webhook endpoint that gets the events. null: each whose `types` have the type')

/** The fields of an alert that its owner decides, by type. The first one names what it is about. */
const FIELDS = {
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
} satisfies Record<AlertType, object>

const SUBJECTS = { 'coin.price': 'coinId' } as const satisfies Record<AlertType, string>

const TYPES = Object.keys(FIELDS)
const typeOf = (given: unknown): unknown => (given as { type?: unknown }).type

export const alertBody = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({
        type: z.literal('coin.price'),
        endpointId: endpointId.default(null),
        ...FIELDS['coin.price'],
      }),
    ],
    { error: (issue) => (issue.code === 'invalid_union' ? oneOf(TYPES, typeOf(issue.input)) : undefined) },
  )
  .superRefine(({ above, below, changePercent, windowSeconds }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    const limits = [above, below, changePercent].filter((one) => one !== undefined)
    if (limits.length !== 1) refuse('above', 'One of `above`, `below` and `changePercent` is required')
    else if ((changePercent === undefined) !== (windowSeconds === undefined))
      refuse('windowSeconds', '`changePercent` and `windowSeconds` need each other')
  })

const shown = {
  id: z.string(),
  endpointId,
  armed: z
    .boolean()
    .describe(
      'false: it has fired, or the value was past the limit when the alert was added. It is armed again once the value is far enough behind the limit',
    ),
  firedAt: z.string().nullable().describe('RFC 3339; null: never'),
  createdAt: z.string(),
}

export const alertSchema = z.discriminatedUnion('type', [
  z.object({ ...shown, type: z.literal('coin.price'), ...FIELDS['coin.price'] }),
])

/** What an alert is about and when it fires, as they are stored. */
export function statedAlert(body: z.output<typeof alertBody>): Pick<Alert, 'type' | 'subject' | 'rule'> {
  const { type, endpointId: _endpointId, ...fields } = body
  const { [SUBJECTS[type]]: subject, ...rule } = fields
  return { type, subject, rule: rule as AlertRule }
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
