import { z } from 'zod'
import { invalidPayment } from './payment-header.ts'
import type { TransferAuthorization } from './transfer-digest.ts'

/** A payment in a form that is independent of the protocol version. */
export interface SignedPayment {
  version: 1 | 2
  transfer: TransferAuthorization
  /** Lower-case hex. */
  signature: string
  network: string
  /** The requirement as the payer repeats it; null in version 1. */
  accepted: { amount: string; asset: string; payTo: string } | null
  /** The resource that the payer names. */
  resourceUrl: string | null
}

/** An amount in base units or a time: digits only, below 2^256. */
const uint = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/)
  .transform((text, context) => {
    const value = BigInt(text)
    if (value < 1n << 256n) return value
    context.addIssue({ code: 'custom', message: 'too large' })
    return z.NEVER
  })
const hex = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`))
    .transform((text) => text.toLowerCase())
/** An account's signature has 65 bytes; a contract may accept other lengths. */
const signature = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})+$/)
  .transform((text) => text.toLowerCase())

const payload = z.object({
  signature,
  authorization: z.object({
    from: hex(20),
    to: hex(20),
    value: uint.refine((value) => value > 0n),
    validAfter: uint,
    validBefore: uint,
    nonce: hex(32),
  }),
})
const scheme = z.literal('exact')

const schema = z.discriminatedUnion('x402Version', [
  z.object({ x402Version: z.literal(1), scheme, network: z.string(), payload }),
  z.object({
    x402Version: z.literal(2),
    resource: z.object({ url: z.string() }).optional(),
    accepted: z.object({
      scheme,
      network: z.string(),
      amount: z.string(),
      asset: z.string(),
      payTo: z.string(),
      extra: z.object({ assetTransferMethod: z.literal('eip3009').optional() }).optional(),
    }),
    payload,
  }),
])

/**
 * Reads a payment of version 1 or 2. The number inside decides the version, never the header name. Throws 400
 * unless it is a payment of scheme `exact`.
 */
export function readPayment(value: unknown): SignedPayment {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw invalidPayment()
  const { data } = parsed
  const { signature, authorization: transfer } = data.payload
  if (data.x402Version === 1)
    return { version: 1, transfer, signature, network: data.network, accepted: null, resourceUrl: null }
  const { network, ...accepted } = data.accepted
  return { version: 2, transfer, signature, network, accepted, resourceUrl: data.resource?.url ?? null }
}
