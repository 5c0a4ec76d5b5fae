import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { findWebhook, webhookPath } from './webhook.ts'

export const postWebhookTest = defineRoute({
  method: 'POST',
  path: '/webhooks/{id}/test',
  tag: 'Webhooks',
  summary: 'Send a test.ping',
  description: 'GET /webhooks/{id}/deliveries says how it went. Paused and disabled endpoints get none.',
  pathParams: webhookPath,
  response: z.object({ success: z.boolean() }),
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ path: { id } }, context) {
    await findWebhook(context, id)
    return { body: { success: true }, asOf: null, writes: [{ kind: 'webhook-test', id }] }
  },
})
