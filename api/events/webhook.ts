import { z } from 'zod'
import { EVENT_TYPES } from '../../db/events/event-types.ts'
import { EVENT_LIMITS } from '../../db/events/plan-limits.ts'
import { readWebhooks, type Webhook } from '../../db/events/read-webhooks.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { webhookUrlRefusal } from '../../db/values/webhook-url.ts'
import { invalidParameter, notFound, unavailable } from '../errors.ts'
import { identifierParam } from '../params.ts'
import type { RequestAccount, RouteContext } from '../route.ts'
import type { WebhookSettings } from './webhook-settings.ts'

export const webhookPath = z.object({
  id: identifierParam('Id of a webhook endpoint').meta({
    example: '019ac2f8-3e11-7f24-bd07-1c6a8e92f5d3',
  }),
})

/** The fields of an endpoint that its owner decides. */
export const webhookFields = {
  url: z
    .string()
    .max(2_000)
    .describe(
      'Where events are posted: https, port 443 or 8443, a public address, no user name. Hosts in a private network need WEBHOOK_ALLOWED_HOSTS of the operator',
    ),
  types: z
    .array(z.enum(EVENT_TYPES))
    .min(1)
    .transform((types) => [...new Set(types)])
    .describe('Types of events. `test.ping` always arrives'),
  confirmed: z
    .enum(['first', 'only', 'both'])
    .describe(
      'Of a transaction: the first event and whether a reorg took it, only the event when it is confirmed, or both',
    ),
  minValueUsd: z.number().min(0).max(1e15).describe('Transactions of a smaller value are left out'),
  includeSpam: z.boolean().describe('Also transactions of tokens that are probably spam'),
}

export const webhookSchema = z.object({
  id: z.string(),
  ...webhookFields,
  types: z.array(z.string()),
  allPortfolios: z.boolean().describe('It gets the events of all wallets among your portfolios'),
  wallets: z.number().int().describe('Wallets that were added one by one'),
  state: z
    .enum(['new', 'active', 'backing_off', 'paused', 'disabled'])
    .describe(
      '`new`: it has not answered its ping. `backing_off`: it fails, so one event a minute is tried. `paused`, `disabled`: nothing is sent until it is `active` again by PATCH',
    ),
  reason: z.string().nullable().describe('Why it is not active'),
  failingSince: z.string().nullable().describe('RFC 3339; null: the last attempt arrived'),
  previousSecretUntil: z
    .string()
    .nullable()
    .describe('RFC 3339: until then the secret before the last rotation signs too'),
  createdAt: z.string(),
})

/** The secret of an endpoint, in the answers that show it. */
export const secretField = z
  .string()
  .nullable()
  .describe(
    'Shown once. null: this is the repeated answer to an Idempotency-Key, and secrets are not kept. Rotate then',
  )

export function describeWebhook(webhook: Webhook): z.output<typeof webhookSchema> {
  const { id, url, types, options, watchesPortfolios, wallets, state, reason, createdAt } = webhook
  return {
    id,
    url,
    types,
    ...options,
    allPortfolios: watchesPortfolios,
    wallets,
    state,
    reason,
    failingSince: webhook.failingSince?.toISOString() ?? null,
    previousSecretUntil: webhook.previousUntil?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}

/** What a handler needs to change endpoints. Throws 503 where the installation has no webhooks. */
export function webhookContext({ account, webhooks }: Pick<RouteContext, 'account' | 'webhooks'>): {
  account: RequestAccount
  settings: WebhookSettings
  /** Of the plan. */
  most: { endpoints: number; wallets: number }
} {
  if (!account || !webhooks) throw unavailable()
  const { endpoints, wallets } = EVENT_LIMITS[account.plan as PlanId]
  return { account, settings: webhooks, most: { endpoints, wallets } }
}

/** Throws 400 for a URL to which nothing is sent. */
export function checkUrl(url: string, { allowed }: WebhookSettings): void {
  const refusal = webhookUrlRefusal(url, allowed)
  if (refusal !== null) throw invalidParameter('url', refusal)
}

/** An endpoint of the caller. Throws the same 404 for those of other accounts. */
export async function findWebhook(
  { db, account }: Pick<RouteContext, 'db' | 'account'>,
  id: string,
): Promise<Webhook & { accountId: string }> {
  const accountId = account?.id
  const [webhook] = accountId !== undefined && isUuid(id) ? await readWebhooks(db, { accountId, id }) : []
  if (!webhook) throw notFound(`Webhook with id '${id}' not found`)
  return { ...webhook, accountId: accountId! }
}
