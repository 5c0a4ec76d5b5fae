import { z } from 'zod'
import { readWebhooks } from '../../db/events/read-webhooks.ts'
import { uuidV7 } from '../../db/values/uuid-v7.ts'
import { defineRoute } from '../route.ts'
import { newSecret } from './new-secret.ts'
import { refuseMore } from './refuse-more.ts'
import { watch, watchedField } from './watched-wallets.ts'
import {
  checkUrl,
  describeWebhook,
  secretField,
  webhookContext,
  webhookFields,
  webhookSchema,
} from './webhook.ts'

const body = z.strictObject({
  url: webhookFields.url,
  types: webhookFields.types,
  wallets: watchedField(),
  confirmed: webhookFields.confirmed.default('both'),
  minValueUsd: webhookFields.minValueUsd.default(0),
  includeSpam: webhookFields.includeSpam.default(false),
})

export const postWebhook = defineRoute({
  method: 'POST',
  path: '/webhooks',
  tag: 'Webhooks',
  summary: 'Add a webhook endpoint',
  description:
    'The endpoint gets a `test.ping` first, and nothing else before it has answered 2xx. Requests are signed by Standard Webhooks with the `secret` of this answer, which is shown once. A wallet that is unknown so far is synced first. Your plan limits endpoints and watched wallets.',
  requestBody: body,
  response: webhookSchema.extend({ secret: secretField }),
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ body }, context) {
    const { account, settings, most } = webhookContext(context)
    const { url, types, wallets: given, ...options } = body
    checkUrl(url, settings)
    const others = await readWebhooks(context.db, { accountId: account.id })
    refuseMore(others.length + 1, { of: 'webhook endpoints', most: most.endpoints })
    const { watched, commands } = await watch(context.db, { accountId: account.id, given, most })
    const id = uuidV7(context.now().getTime())
    const { secret, sealed } = newSecret({ accountId: account.id, endpointId: id, ...settings })
    const webhook = describeWebhook({
      id,
      url,
      types,
      options,
      state: 'new',
      reason: null,
      failingSince: null,
      previousUntil: null,
      createdAt: context.now(),
      watchesPortfolios: watched === 'all',
      wallets: watched === 'all' ? 0 : new Set(watched.map(({ address }) => address)).size,
    })
    return {
      body: { ...webhook, secret },
      repeated: { ...webhook, secret: null },
      asOf: null,
      commands,
      writes: [{ kind: 'webhook-create', id, url, types, options, watched, sealed, most }],
    }
  },
})
