import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { Requirement } from '../../gateway/payment/requirement.ts'
import type { TransferAuthorization } from '../../gateway/payment/transfer-digest.ts'
import type { TestGateway } from '../setup/gateway.ts'
import { typedTransfer } from './typed-transfer.ts'

// A payer that uses the plain protocol, signs with viem and can make any mistake.

/** The challenge of version 2. */
export interface Challenge {
  x402Version: 2
  error: string
  resource: { url: string; description: string; mimeType: string }
  accepts: Requirement[]
}

export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
// Tests read arbitrary fields.
// eslint-disable-next-line typescript/no-explicit-any
export const decode = (text: string | null): any => JSON.parse(Buffer.from(text ?? '', 'base64').toString())

export async function challengeOf(gateway: TestGateway, path: string, headers: Record<string, string> = {}) {
  const response = await gateway.get(path, { headers })
  expect([path, response.status, await response.text()]).toEqual([path, 402, expect.any(String)])
  return decode(response.headers.get('payment-required')) as Challenge
}

interface Signing {
  challenge: Challenge
  payer: PrivateKeyAccount
  /** Changes to the required transfer. */
  transfer?: Partial<TransferAuthorization>
  domain?: Parameters<typeof typedTransfer>[1]
}

/** The payload of either version: signature and authorization. */
export async function signTransfer({ challenge, payer, transfer, domain }: Signing) {
  const [asked] = challenge.accepts as [Requirement]
  const nowS = BigInt(Math.floor(Date.now() / 1_000))
  const signed: TransferAuthorization = {
    from: payer.address,
    to: asked.payTo,
    value: BigInt(asked.amount),
    validAfter: 0n,
    validBefore: nowS + BigInt(asked.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString('hex')}`,
    ...transfer,
  }
  const signature: Hex = await payer.signTypedData(typedTransfer(signed, domain))
  const { value, validAfter, validBefore, ...hex } = signed
  const authorization = {
    ...hex,
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
  }
  return { signature, authorization }
}

type Payload = Awaited<ReturnType<typeof signTransfer>>

export const paymentV2 = (challenge: Challenge, payload: Payload) => ({
  x402Version: 2,
  resource: challenge.resource,
  accepted: challenge.accepts[0]!,
  payload,
  extensions: {},
})

export const paymentV1 = (payload: Payload) => ({
  x402Version: 1,
  scheme: 'exact',
  network: 'base',
  payload,
})

/** Reads status, body, receipt and cookie of a response. */
export async function answerOf(response: Response) {
  const text = await response.text()
  const receipt = response.headers.get('x-payment-response')
  expect(response.headers.get('payment-response')).toBe(receipt)
  const cookie = response.headers.get('set-cookie')
  return {
    status: response.status,
    // eslint-disable-next-line typescript/no-explicit-any
    body: (text === '' ? null : JSON.parse(text)) as any,
    receipt: receipt === null ? null : decode(receipt),
    cookie: cookie === null ? null : cookie.split(';', 1)[0]!,
    headers: response.headers,
  }
}

/** Sends a payment, encoded or not, in the header X-PAYMENT. */
export async function send(
  gateway: TestGateway,
  path: string,
  payment: unknown,
  headers: Record<string, string> = {},
) {
  const header = typeof payment === 'string' ? payment : encode(payment)
  return answerOf(await gateway.get(path, { headers: { 'x-payment': header, ...headers } }))
}

/** Gets the challenge of a call and pays it by version 2, with the given changes. */
export async function pay(
  gateway: TestGateway,
  path: string,
  { headers = {}, ...signing }: Omit<Signing, 'challenge'> & { headers?: Record<string, string> },
) {
  const challenge = await challengeOf(gateway, path, headers)
  const payload = await signTransfer({ challenge, ...signing })
  const payment = paymentV2(challenge, payload)
  return { challenge, payload, payment, answer: await send(gateway, path, payment, headers) }
}
