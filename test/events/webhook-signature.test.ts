import fc from 'fast-check'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { createWebhookSecret, signatureHeaders } from '../../db/values/webhook-signature.ts'

const secret = createWebhookSecret()
const receiver = new Webhook(secret)
const body = '{"id":"evt_1","type":"test.ping","data":{"note":"Zürich ₿"}}'
const signed = (secrets = [secret], at = new Date()) => signatureHeaders({ id: 'evt_1', body, at, secrets })
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000)

test('a secret is whsec_ and 32 random bytes', () => {
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(createWebhookSecret()).not.toBe(secret)
})

test('the unmodified library of Standard Webhooks accepts any signed body', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 })
  fc.assert(
    fc.property(fc.uuid(), text, (id, note) => {
      const content = JSON.stringify({ id, note })
      const headers = signatureHeaders({ id, body: content, at: new Date(), secrets: [secret] })
      expect(receiver.verify(content, headers)).toEqual({ id, note })
    }),
  )
})

test('during a rotation receivers with the old and with the new secret accept the same attempt', () => {
  const next = createWebhookSecret()
  const headers = signed([next, secret])
  expect(new Webhook(next).verify(body, headers)).toBeTruthy()
  expect(receiver.verify(body, headers)).toBeTruthy()
  expect(() => receiver.verify(body, signed([next]))).toThrow(WebhookVerificationError)
})

describe('case 44 the standard verifier refuses', () => {
  test('a body that was changed', () => {
    expect(() => receiver.verify(body.replace('ping', 'pong'), signed())).toThrow('No matching signature')
  })
  test('an id that was changed', () => {
    expect(() => receiver.verify(body, { ...signed(), 'webhook-id': 'evt_2' })).toThrow('No matching')
  })
  test('an attempt that is over five minutes old, or from the future', () => {
    expect(() => receiver.verify(body, signed([secret], minutesFromNow(-6)))).toThrow('too old')
    expect(() => receiver.verify(body, signed([secret], minutesFromNow(6)))).toThrow('too new')
  })
  test('an old attempt under a fresh timestamp', () => {
    const old = signed([secret], minutesFromNow(-6))
    const fresh = { ...old, 'webhook-timestamp': signed()['webhook-timestamp']! }
    expect(() => receiver.verify(body, fresh)).toThrow('No matching signature')
  })
})
