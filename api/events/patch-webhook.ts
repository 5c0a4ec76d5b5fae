import { z } from 'zod'
import { defineRoute } from '../route.ts'
import {
  checkUrl,
  describeWebhook,
  findWebhook,
  webhookContext,
  webhookFields,
  webhookPath,
  webhookSchema,
} from './webhook.ts'

const body = z
  .strictObject({
    ...webhookFields,
    state: z
      .enum(['active', 'paused'])
      .describe(
        '`active` starts a paused or disabled endpoint again, with a ping that it has to answer. What waits for it is sent then',
      ),
  })
  .partial()
  .refine((fields) => Object.keys(fields).length > 0, 'It must have at least one field')

export const patchWebhook = defineRoute({
  method: 'PATCH',
  path: '/webhooks/{id}',
  tag: 'Webhooks',
  summary: 'Change, pause or start a webhook endpoint',
  description:
    'Fields that are absent keep their value. With another `url` the endpoint gets nothing before it has answered a new ping.',
  pathParams: webhookPath,
  requestBody: body,
  response: webhookSchema,
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ path: { id }, body: { url, types, state, ...given } }, context) {
    const { settings } = webhookContext(context)
    const known = await findWebhook(context, id)
    if (url !== undefined) checkUrl(url, settings)
    const isStopped = known.state === 'paused' || known.state === 'disabled'
    const options = {
      confirmed: given.confirmed ?? known.options.confirmed,
      minValueUsd: given.minValueUsd ?? known.options.minValueUsd,
      includeSpam: given.includeSpam ?? known.options.includeSpam,
    }
    const pauses = state === 'paused' && !isStopped
    const restarts =
      !pauses && ((state === 'active' && isStopped) || (url !== undefined && url !== known.url))
    const changed = {
      ...known,
      ...(url !== undefined && { url }),
      ...(types !== undefined && { types }),
      options,
      ...(pauses && { state: 'paused' as const, reason: 'Paused by its owner' }),
      ...(restarts && { state: 'new' as const, reason: null, failingSince: null }),
    }
    return {
      body: describeWebhook(changed),
      asOf: null,
      writes: [
        {
          kind: 'webhook-change',
          id,
          options,
          ...(url !== undefined && { url }),
          ...(types !== undefined && { types }),
          ...(pauses && { pause: true as const }),
          ...(restarts && { restart: true as const }),
        },
      ],
    }
  },
})
