import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { newSecret } from './new-secret.ts'
import { findWebhook, secretField, webhookContext, webhookPath } from './webhook.ts'

const DAY_MS = 86_400_000

export const postWebhookRotate = defineRoute({
  method: 'POST',
  path: '/webhooks/{id}/rotate',
  tag: 'Webhooks',
  summary: 'Give a webhook endpoint another secret',
  description:
    'For 24 hours requests are signed with the earlier secret too, so that you can change it without a gap.',
  pathParams: webhookPath,
  response: z.object({ secret: secretField, previousSecretUntil: z.string().describe('RFC 3339') }),
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ path: { id } }, context) {
    const { settings } = webhookContext(context)
    const { accountId } = await findWebhook(context, id)
    const { secret, sealed } = newSecret({ accountId, endpointId: id, ...settings })
    const previousSecretUntil = new Date(context.now().getTime() + DAY_MS).toISOString()
    return {
      body: { secret, previousSecretUntil },
      repeated: { secret: null, previousSecretUntil },
      asOf: null,
      writes: [{ kind: 'webhook-rotate', id, sealed }],
    }
  },
})
