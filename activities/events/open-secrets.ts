import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { TakenDelivery } from '../../db/events/take-deliveries.ts'
import { openSecret } from '../../db/values/sealed-secret.ts'
import { signingKey } from '../../db/values/webhook-signature.ts'

/** Secrets are small, and opening one takes a key agreement. */
const MOST_AT_HAND = 10_000

/** Opens the secrets of deliveries, as keys. The newest stay at hand by their sealed text, so a rotated one is opened anew. */
export function createSecretOpener(privateKeys: readonly string[]): (delivery: TakenDelivery) => KeyObject[] {
  const atHand = new LRUCache<string, KeyObject>({ max: MOST_AT_HAND })
  return ({ accountId, endpointId, secrets }) =>
    secrets.map((sealed) => {
      const key = `${accountId} ${endpointId} ${sealed.keyId} ${sealed.ciphertext.toString('base64')}`
      const known = atHand.get(key)
      if (known !== undefined) return known
      const secret = signingKey(openSecret({ sealed, context: { accountId, endpointId }, privateKeys }))
      atHand.set(key, secret)
      return secret
    })
}
