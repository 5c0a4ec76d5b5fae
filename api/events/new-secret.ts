import { sealSecret } from '../../db/values/sealed-secret.ts'
import { createWebhookSecret } from '../../db/values/webhook-signature.ts'
import { sealedText } from '../../db/events/webhook-write.ts'

/** A secret for an endpoint: to show once, and as it is stored. */
export function newSecret(input: { accountId: string; endpointId: string; sealKey: string }) {
  const { accountId, endpointId, sealKey } = input
  const secret = createWebhookSecret()
  const sealed = sealSecret({ secret, context: { accountId, endpointId }, publicKey: sealKey })
  return { secret, sealed: sealedText(sealed) }
}
