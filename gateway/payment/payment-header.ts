import type { IncomingMessage } from 'node:http'
import { badRequest, headersTooLarge } from '../../api/errors.ts'
import { parseJsonBody } from '../../api/json-body.ts'

const MAX_BYTES = 8_192
const NAMES = ['x-payment', 'payment-signature']
const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/
const URL_SAFE = /^[A-Za-z0-9_-]*={0,2}$/

export const invalidPayment = () => badRequest('Invalid payment')

/**
 * The one payment of a request, under whichever of its two names; null when there is none. Some wallets send it under
 * both. Throws 400 when it is there twice, or differs between the names, and 431 when it is larger than 8 KB.
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

/** The JSON inside of it, from either alphabet of base64. Throws 400. */
export function decodePayment(header: string): unknown {
  if (header === '' || !(STANDARD.test(header) || URL_SAFE.test(header))) throw invalidPayment()
  try {
    return parseJsonBody(Buffer.from(header, 'base64'))
  } catch {
    throw invalidPayment()
  }
}
