import type { IncomingMessage } from 'node:http'
import { badRequest, headersTooLarge } from '../../api/errors.ts'
import { parseJsonBody } from '../../api/json-body.ts'

const MAX_BYTES = 8_192
const NAMES = ['x-payment', 'payment-signature']
const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/
const URL_SAFE = /^[A-Za-z0-9_-]*={0,2}$/

export const invalidPayment = () => badRequest('Invalid payment')

/**
 * Returns the payment header of a request under either of its two names; null: none. Some wallets send both.
 * Throws 400 if one name is there twice or the two values differ, and 431 if the value is larger than 8 KB.
 */
export function paymentHeaderOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | null {
  const found = new Map<string, string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    if (!NAMES.includes(name)) continue
    if (found.has(name)) throw invalidPayment()
    found.set(name, rawHeaders[i + 1]!)
  }
  const [value, ...others] = new Set(found.values())
  if (value === undefined) return null
  if (value.length > MAX_BYTES) throw headersTooLarge()
  if (others.length > 0) throw invalidPayment()
  return value
}

/** Decodes the JSON of a payment header, in standard or URL-safe base64. Throws 400. */
export function decodePayment(header: string): unknown {
  if (header === '' || !(STANDARD.test(header) || URL_SAFE.test(header))) throw invalidPayment()
  try {
    return parseJsonBody(Buffer.from(header, 'base64'))
  } catch {
    throw invalidPayment()
  }
}
