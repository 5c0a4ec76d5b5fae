import { z } from 'zod'
import { type Delivery, readDeliveries } from '../../db/events/read-webhooks.ts'
import { limit, param } from '../params.ts'
import { defineRoute } from '../route.ts'
import { findWebhook, webhookPath } from './webhook.ts'

const deliverySchema = z.object({
  seq: z.string(),
  eventId: z.string().describe('Also the header `webhook-id`'),
  type: z.string(),
  createdAt: z.string(),
  state: z
    .enum(['delivered', 'waiting', 'failed'])
    .describe('`failed`: all attempts failed. Send it again by POST /webhooks/{id}/replay'),
  attempts: z.number().int().describe('Begins again when the endpoint recovers or the event is replayed'),
  status: z.number().int().nullable().describe('Status of the last answer; null: none came'),
  ms: z.number().int().nullable().describe('Milliseconds until the last answer'),
  failure: z.string().nullable().describe('Why the last attempt failed'),
  nextAttemptAt: z
    .string()
    .nullable()
    .describe('RFC 3339; null: none is planned, or the endpoint has to recover first'),
  deliveredAt: z.string().nullable(),
})

export const getWebhookDeliveries = defineRoute({
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  tag: 'Webhooks',
  summary: 'Deliveries of a webhook endpoint',
  description: 'The newest first. Events that are older than your plan keeps are gone.',
  pathParams: webhookPath,
  query: z.object({
    limit: limit(100),
    beforeSeq: param((text) => (/^\d{1,18}$/.test(text) ? text : undefined), {
      pattern: '^\\d{1,18}$',
      reason: 'the `seq` of an event',
      description: 'Only older events, for the next page',
      example: '81244',
    }).optional(),
  }),
  response: z.object({ result: z.array(deliverySchema) }),
  credits: 3,
  plan: 'any',
  x402: null,
  async handler({ path: { id }, query }, context) {
    const { accountId } = await findWebhook(context, id)
    const deliveries = await readDeliveries(context.db, {
      accountId,
      endpointId: id,
      limit: query.limit,
      beforeSeq: query.beforeSeq ?? null,
    })
    return { body: { result: deliveries.map(describeDelivery) }, asOf: null }
  },
})

function describeDelivery(delivery: Delivery): z.output<typeof deliverySchema> {
  const { seq, eventId, type, attempts, status, ms, failure, deliveredAt, isOpen, nextAt, createdAt } =
    delivery
  return {
    seq,
    eventId,
    type,
    createdAt: createdAt.toISOString(),
    state: isOpen ? 'waiting' : deliveredAt ? 'delivered' : 'failed',
    attempts,
    status,
    ms,
    failure,
    nextAttemptAt: nextAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
  }
}
