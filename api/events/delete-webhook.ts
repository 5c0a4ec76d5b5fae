import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { findWebhook, webhookPath } from './webhook.ts'

export const deleteWebhook = defineRoute({
  method: 'DELETE',
  path: '/webhooks/{id}',
  tag: 'Webhooks',
  summary: 'Remove a webhook endpoint',
  description: 'Events that wait for it are not sent. They stay in GET /events.',
  pathParams: webhookPath,
  response: z.object({ success: z.boolean() }),
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ path: { id } }, context) {
    await findWebhook(context, id)
    return { body: { success: true }, asOf: null, writes: [{ kind: 'webhook-delete', id }] }
  },
})
