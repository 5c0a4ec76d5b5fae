import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { type SluiceEvent, UnverifiedEvent, verifyEvent } from '../../clients/typescript/events.ts'
import { createWebhookSecret, signatureHeaders } from '../../db/values/webhook-signature.ts'

const secret = createWebhookSecret()
const body = '{"id":"evt_1","type":"test.ping","data":{"endpointId":"é"}}'
const id = 'evt_1'

test.each([
  ['Sluice', (at: Date) => signatureHeaders({ id, body, at, secrets: [secret] })],
  [
    'the standardwebhooks package',
    (at: Date) => ({
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    }),
  ],
])('an event that %s signs is verified, with headers of Node and of Fetch', async (_name, sign) => {
  const headers: Record<string, string> = sign(new Date())
  for (const given of [headers, new Headers(headers)])
    expect(await verifyEvent({ body, headers: given, secret })).toEqual(JSON.parse(body))
})

test('case 43: during a rotation both secrets verify it', async () => {
  const earlier = createWebhookSecret()
  const headers = signatureHeaders({ id, body, at: new Date(), secrets: [secret, earlier] })
  for (const one of [secret, earlier])
    expect(await verifyEvent({ body, headers, secret: one })).toMatchObject({ id })
})

describe('case 44: a request is refused', () => {
  const now = signatureHeaders({ id, body, at: new Date(), secrets: [secret] })
  const at = (ageS: number) => new Date(Date.now() - ageS * 1_000)
  const { 'webhook-id': _id, ...withoutId } = now
  test.each([
    ['with a changed body', { body: body.replace('1', '2') }],
    ['with the id of another event', { headers: { ...now, 'webhook-id': 'evt_2' } }],
    [
      'with another time',
      { headers: { ...now, 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 9) } },
    ],
    ['that is six minutes old', { headers: signatureHeaders({ id, body, at: at(360), secrets: [secret] }) }],
    ['of the future', { headers: signatureHeaders({ id, body, at: at(-360), secrets: [secret] }) }],
    ['that another secret signs', { secret: createWebhookSecret() }],
    ['without an id', { headers: withoutId }],
    [
      'without a signature of this version',
      { headers: { ...now, 'webhook-signature': now['webhook-signature']!.replace('v1', 'v2') } },
    ],
    [
      'with a signature that is too short',
      { headers: { ...now, 'webhook-signature': `v1,${randomBytes(16).toString('base64')}` } },
    ],
  ])('%s', async (_name, changed) => {
    await expect(verifyEvent({ body, headers: now, secret, ...changed })).rejects.toThrow(UnverifiedEvent)
  })
})

test('the type of an event tells its data', () => {
  const worth = (event: SluiceEvent): number | null => {
    switch (event.type) {
      case 'portfolio.value':
        return event.data.valueUsd
      case 'coin.price':
        return event.data.priceUsd
      default:
        return null
    }
  }
  expectTypeOf<SluiceEvent<'exchange.synced'>['data']>().toEqualTypeOf<{
    portfolioId: string
    connectionId: string
    transactions: number
  }>()
  expect(worth({ id, type: 'test.ping', timestamp: '', seq: '1', data: { endpointId: '' } })).toBe(null)
})
