import { defineRoute } from '../route.ts'
import { describeWebhook, findWebhook, webhookPath, webhookSchema } from './webhook.ts'

export const getWebhook = defineRoute({
  method: 'GET',
  path: '/webhooks/{id}',
  tag: 'Webhooks',
  summary: 'One webhook endpoint',
  pathParams: webhookPath,
  response: webhookSchema,
  credits: 3,
  plan: 'any',
  x402: null,
  async handler({ path: { id } }, context) {
    return { body: describeWebhook(await findWebhook(context, id)), asOf: null }
  },
})
