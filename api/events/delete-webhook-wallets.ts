import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { watchedField, watchedOf } from './watched-wallets.ts'
import { findWebhook, webhookPath } from './webhook.ts'

export const deleteWebhookWallets = defineRoute({
  method: 'DELETE',
  path: '/webhooks/{id}/wallets',
  tag: 'Webhooks',
  summary: 'Take wallets from a webhook endpoint',
  description:
    'Each on the networks with which it was added. Wallets that the endpoint does not have are ignored.',
  pathParams: webhookPath,
  requestBody: z.strictObject({ wallets: watchedField() }),
  response: z.object({ success: z.boolean() }),
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ path: { id }, body }, context) {
    await findWebhook(context, id)
    const write = { kind: 'webhook-unwatch', id, watched: watchedOf(body.wallets) } as const
    return { body: { success: true }, asOf: null, writes: [write] }
  },
})
