import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** Creates the secret of a webhook endpoint, in the form that libraries of Standard Webhooks take. */
export const createWebhookSecret = (): string => PREFIX + randomBytes(32).toString('base64')

export const isWebhookSecret = (text: string): boolean => /^whsec_[A-Za-z0-9+/]{43}=$/.test(text)

/** The key of a secret. Making it takes five times as long as signing with it. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(PREFIX.length), 'base64'))

interface Attempt {
  /** Id of the event, the same in each attempt. */
  id: string
  body: string
  /** Time of the attempt. Receivers refuse one that is over five minutes old. */
  at: Date
  /** Newest first. After a rotation there are two, and a receiver accepts the signature of either. */
  secrets: readonly (string | KeyObject)[]
}

/** The headers that sign one attempt: https://www.standardwebhooks.com, version 1.0.0. */
export function signatureHeaders({ id, body, at, secrets }: Attempt): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = `${id}.${timestamp}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${macOf(signed, secret)}`).join(' '),
  }
}

const macOf = (text: string, secret: string | KeyObject): string =>
  createHmac('sha256', typeof secret === 'string' ? signingKey(secret) : secret)
    .update(text)
    .digest('base64')
