/**
 * Fields whose values would let a reader of the log use an account, take a paid answer or see a portfolio. No
 * code logs them; the redaction is a safeguard.
 */
const NAMES = [
  'x-payment',
  'payment-signature',
  'cookie',
  'set-cookie',
  'authorization',
  'x-api-key',
  'sharetoken',
  'shareToken',
  'passcode',
  'signature',
  'apiKey',
  'apiSecret',
  'secret',
  'password',
  'passphrase',
  'privateKey',
  'query',
  'search',
  // With it, a reader could complete an activity.
  'taskToken',
]

/** Paths that pino redacts, at the top of a line and one or two levels down. */
export const redaction = NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])
