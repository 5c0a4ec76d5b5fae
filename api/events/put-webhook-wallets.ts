import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { watch, watchedField } from './watched-wallets.ts'
import { findWebhook, webhookContext, webhookPath } from './webhook.ts'

export const putWebhookWallets = defineRoute({
  method: 'PUT',
  path: '/webhooks/{id}/wallets',
  tag: 'Webhooks',
  summary: 'Add wallets to a webhook endpoint',
  description:
    'Counts from what is found next. Wallets that the endpoint has stay. A wallet that is unknown so far is synced first.',
  pathParams: webhookPath,
  requestBody: z.strictObject({ wallets: watchedField() }),
  response: z.object({ success: z.boolean() }),
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ path: { id }, body }, context) {
    const { account, most } = webhookContext(context)
    await findWebhook(context, id)
    const { watched, commands } = await watch(context.db, {
      accountId: account.id,
      given: body.wallets,
      most,
    })
    const write = { kind: 'webhook-watch', id, watched, most } as const
    return { body: { success: true }, asOf: null, commands, writes: [write] }
  },
})
