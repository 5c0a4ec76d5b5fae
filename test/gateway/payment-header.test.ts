import { describe, expect, test } from 'vitest'
import { ApiError } from '../../api/errors.ts'
import { decodePayment, paymentHeaderOf } from '../../gateway/payment/payment-header.ts'
import { readPayment } from '../../gateway/payment/read-payment.ts'

const authorization = {
  from: `0x${'Ab'.repeat(20)}`,
  to: `0x${'cd'.repeat(20)}`,
  value: '1000',
  validAfter: '0',
  validBefore: '1763700000',
  nonce: `0x${'0C'.repeat(32)}`,
}
const payload = { signature: `0x${'Ee'.repeat(65)}`, authorization }
const accepted = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '1000',
  asset: '0xA',
  payTo: '0xB',
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
}
const v1 = { x402Version: 1, scheme: 'exact', network: 'base', payload }
const v2 = { x402Version: 2, resource: { url: 'https://x/coins' }, accepted, payload, extensions: {} }

/** Status of the error that `work` throws; 200 if it does not. */
function statusOf(work: () => unknown): number {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error.statusCode
    throw error
  }
  return 200
}

test('both versions give the same transfer in lower case', () => {
  const transfer = {
    from: `0x${'ab'.repeat(20)}`,
    to: authorization.to,
    value: 1_000n,
    validAfter: 0n,
    validBefore: 1_763_700_000n,
    nonce: `0x${'0c'.repeat(32)}`,
  }
  expect(readPayment(v1)).toEqual({
    version: 1,
    transfer,
    network: 'base',
    accepted: null,
    resourceUrl: null,
    signature: `0x${'ee'.repeat(65)}`,
  })
  expect(readPayment(v2)).toMatchObject({ version: 2, transfer, resourceUrl: 'https://x/coins' })
})

describe('malformed payments get 400', () => {
  const value = (text: unknown) => ({ ...payload, authorization: { ...authorization, value: text } })
  const values = [
    '0',
    '-1',
    '1.5',
    '0x3e8',
    '1e3',
    '',
    ' 1000',
    '+1000',
    '01000',
    1_000,
    null,
    '9'.repeat(79),
    '٣',
  ]
  test.each([...values, (1n << 256n).toString()].map((text) => [text]))('with the value %j', (text) => {
    expect(statusOf(() => readPayment({ ...v1, payload: value(text) }))).toBe(400)
  })

  const { authorization: permit2Authorization, ...permit2 } = { ...payload, from: authorization.from }
  test.each([
    ['version 3', { ...v2, x402Version: 3 }],
    ['version "2"', { ...v2, x402Version: '2' }],
    ['no version', { ...v2, x402Version: undefined }],
    ['version 2 without `accepted`', { ...v2, accepted: undefined }],
    ['scheme upto', { ...v2, accepted: { ...accepted, scheme: 'upto' } }],
    ['scheme upto in version 1', { ...v1, scheme: 'upto' }],
    ['permit2', { ...v2, payload: { ...permit2, permit2Authorization } }],
    ['permit2 by its name', { ...v2, accepted: { ...accepted, extra: { assetTransferMethod: 'permit2' } } }],
    ['an array', [v2]],
    ['a text', 'x'],
    ['null', null],
    ['no signature', { ...v1, payload: { authorization } }],
    ['half a byte of signature', { ...v1, payload: { ...payload, signature: '0x123' } }],
    ['a short nonce', { ...v1, payload: { ...payload, authorization: { ...authorization, nonce: '0x12' } } }],
    [
      'a name for an address',
      { ...v1, payload: { ...payload, authorization: { ...authorization, to: 'a.eth' } } },
    ],
  ])('payment: %s', (_name, payment) => {
    expect(statusOf(() => readPayment(payment))).toBe(400)
  })

  const encode = (text: string | Uint8Array) => Buffer.from(text).toString('base64')
  const deep = '['.repeat(40) + ']'.repeat(40)
  test.each([
    ['nothing', ''],
    ['invalid base64', '{"x402Version":2}'],
    ['both alphabets at once', 'ab-+'],
    ['padding in the middle', 'ab=c'],
    ['invalid JSON', encode('hello')],
    ['cut JSON', encode('{"x402Version":2')],
    ['invalid UTF-8', encode(Uint8Array.of(0x22, 0xff, 0xfe, 0x22))],
    ['a key twice', encode('{"x402Version":1,"x402Version":2}')],
    ['a prototype', encode('{"__proto__":{"x402Version":2}}')],
    ['deep JSON', encode(deep)],
  ])('header: %s', (_name, header) => {
    expect(statusOf(() => readPayment(decodePayment(header)))).toBe(400)
  })
})

test('both alphabets of base64 are accepted', () => {
  const text = JSON.stringify({ text: '>>>???ÿÿÿ' })
  for (const alphabet of ['base64', 'base64url'] as const)
    expect(decodePayment(Buffer.from(text).toString(alphabet))).toEqual(JSON.parse(text))
})

describe('the headers of a payment', () => {
  const of = (...rawHeaders: string[]) => paymentHeaderOf({ rawHeaders })
  test('are accepted under either name, or equal under both', () => {
    expect(of('accept', '*/*')).toBe(null)
    expect(of('X-PAYMENT', 'a')).toBe('a')
    expect(of('payment-signature', 'a')).toBe('a')
    expect(of('X-Payment', 'a', 'host', 'x', 'PAYMENT-SIGNATURE', 'a')).toBe('a')
  })
  test('are refused if they differ, repeat or exceed 8 KB', () => {
    expect(statusOf(() => of('X-PAYMENT', 'a', 'PAYMENT-SIGNATURE', 'b'))).toBe(400)
    expect(statusOf(() => of('X-PAYMENT', 'a', 'x-payment', 'a'))).toBe(400)
    expect(statusOf(() => of('X-PAYMENT', 'a'.repeat(8_192)))).toBe(200)
    expect(statusOf(() => of('X-PAYMENT', 'a'.repeat(8_193)))).toBe(431)
  })
})
