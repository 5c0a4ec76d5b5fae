import type { Route } from '../route.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { deleteWebhookWallets } from './delete-webhook-wallets.ts'
import { getWebhook } from './get-webhook.ts'
import { getWebhookDeliveries } from './get-webhook-deliveries.ts'
import { getWebhooks } from './get-webhooks.ts'
import { patchWebhook } from './patch-webhook.ts'
import { postWebhook } from './post-webhook.ts'
import { postWebhookReplay } from './post-webhook-replay.ts'
import { postWebhookRotate } from './post-webhook-rotate.ts'
import { postWebhookTest } from './post-webhook-test.ts'
import { putWebhookWallets } from './put-webhook-wallets.ts'

export const webhookRoutes: readonly Route[] = [
  postWebhook,
  getWebhooks,
  getWebhook,
  patchWebhook,
  deleteWebhook,
  putWebhookWallets,
  deleteWebhookWallets,
  postWebhookRotate,
  postWebhookTest,
  postWebhookReplay,
  getWebhookDeliveries,
]
