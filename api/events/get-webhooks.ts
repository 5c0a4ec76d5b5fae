import { z } from 'zod'
import { readWebhooks } from '../../db/events/read-webhooks.ts'
import { unavailable } from '../errors.ts'
import { defineRoute } from '../route.ts'
import { describeWebhook, webhookSchema } from './webhook.ts'

export const getWebhooks = defineRoute({
  method: 'GET',
  path: '/webhooks',
  tag: 'Webhooks',
  summary: 'Webhook endpoints',
  response: z.object({ result: z.array(webhookSchema) }),
  credits: 3,
  plan: 'any',
  x402: null,
  async handler(_input, { db, account }) {
    if (!account) throw unavailable()
    const webhooks = await readWebhooks(db, { accountId: account.id })
    return { body: { result: webhooks.map(describeWebhook) }, asOf: null }
  },
})
