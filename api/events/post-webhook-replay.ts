import { z } from 'zod'
import { readReplay } from '../../db/events/read-webhooks.ts'
import { parseInstant } from '../../db/values/time.ts'
import { defineRoute } from '../route.ts'
import { findWebhook, webhookPath } from './webhook.ts'

const MOST_EVENTS = 10_000

const body = z
  .strictObject({
    fromSeq: z
      .string()
      .regex(/^\d{1,18}$/, 'It must be the `seq` of an event')
      .describe('The first event to send again, by its `seq`'),
    from: z
      .string()
      .transform((text, context) => {
        const instant = parseInstant(text)
        if (instant) return instant
        context.addIssue({ code: 'custom', message: 'It must be an RFC 3339 timestamp with its zone' })
        return z.NEVER
      })
      .describe('The time from which on events are sent again, RFC 3339'),
  })
  .partial()
  .refine(({ fromSeq, from }) => (fromSeq === undefined) !== (from === undefined), {
    message: 'It must have either `fromSeq` or `from`',
  })

export const postWebhookReplay = defineRoute({
  method: 'POST',
  path: '/webhooks/{id}/replay',
  tag: 'Webhooks',
  summary: 'Send events again',
  description: `Sends what the endpoint was to get from an event or a time on, delivered or not, in order and ten a second: at most ${MOST_EVENTS.toLocaleString('en')} events a call. Go on after \`throughSeq\`. Events that are on their way are not sent twice. They are not charged again.`,
  pathParams: webhookPath,
  requestBody: body,
  response: z.object({
    events: z.number().int(),
    throughSeq: z.string().nullable().describe('The last of them; null: there are none'),
  }),
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ path: { id }, body: { fromSeq = '0', from = null } }, context) {
    const { accountId } = await findWebhook(context, id)
    const asked = { accountId, endpointId: id, fromSeq, from, limit: MOST_EVENTS }
    const found = await readReplay(context.db, asked)
    return {
      body: { events: found?.events ?? 0, throughSeq: found?.throughSeq ?? null },
      asOf: null,
      writes: found
        ? [{ kind: 'webhook-replay', id, fromSeq: found.fromSeq, throughSeq: found.throughSeq }]
        : [],
    }
  },
})
