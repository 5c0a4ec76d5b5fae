/**
 * Whoever has one of these can use an account, take a paid answer, or see a portfolio. No line is written of them; this
 * makes sure.
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
  // Whoever has it can answer for an activity.
  'taskToken',
]

/** Paths that pino blanks, at the top of a line and one or two levels down. */
export const redaction = NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])
