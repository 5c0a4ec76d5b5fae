import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createSealingKey,
  openSecret,
  rewrapSecret,
  type SealContext,
  type SealedSecret,
  sealingPublicKey,
  sealSecret,
} from '../../db/values/sealed-secret.ts'

const [first, second] = [createSealingKey(), createSealingKey()]
const context = { accountId: 'a', connectionId: 'c', version: 3 }
const seal = (secret: string) => sealSecret({ secret, context, publicKey: sealingPublicKey(first) })
const open = (sealed: SealedSecret, in_: SealContext = context, keys = [first]) =>
  openSecret({ sealed, context: in_, privateKeys: keys })

describe('S4 sealed secrets', () => {
  test('open to the same text for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), (secret) => {
        expect(open(seal(secret))).toBe(secret)
      }),
      { numRuns: 50 },
    )
  })

  test('differ each time and contain nothing of the text', () => {
    const [a, b] = [seal('planted-secret'), seal('planted-secret')]
    expect(a.ciphertext.equals(b.ciphertext)).toBe(false)
    expect(a.wrappedKey.equals(b.wrappedKey)).toBe(false)
    expect(Buffer.concat([a.ciphertext, a.wrappedKey]).includes('planted')).toBe(false)
  })

  test.each([
    ['another account', { ...context, accountId: 'b' }],
    ['another connection', { ...context, connectionId: 'd' }],
    ['another version', { ...context, version: 4 }],
    ['a webhook endpoint with the same id', { accountId: 'a', endpointId: 'c' }],
  ])('do not open for %s', (_name, other) => {
    expect(() => open(seal('text'), other)).toThrow()
  })

  test('do not open when any byte is changed', () => {
    const sealed = seal('text')
    for (const part of ['ciphertext', 'wrappedKey'] as const)
      fc.assert(
        fc.property(fc.nat(sealed[part].length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
          const bytes = Buffer.from(sealed[part])
          bytes[at]! ^= flip
          expect(() => open({ ...sealed, [part]: bytes })).toThrow()
        }),
      )
  })

  // OpenSSL ignores one bit: for half of the keys, the changed bytes still mean the same key.
  test('do not open when their key is encoded differently', () => {
    for (let i = 0; i < 20; i++) {
      const { wrappedKey, ...sealed } = seal('text')
      const bytes = Buffer.from(wrappedKey)
      bytes[11] = 1
      expect(() => open({ ...sealed, wrappedKey: bytes })).toThrow()
    }
  })

  test('do not open with another key or with the public key', () => {
    expect(() => open(seal('text'), context, [second])).toThrow('no private key')
    expect(() => open(seal('text'), context, [sealingPublicKey(first)])).toThrow()
  })

  test('a rotation rewraps the data key and keeps the ciphertext', () => {
    const sealed = seal('text')
    const rotated = rewrapSecret({
      sealed,
      context,
      privateKeys: [second, first],
      publicKey: sealingPublicKey(second),
    })
    expect(rotated.ciphertext.equals(sealed.ciphertext)).toBe(true)
    expect(open(rotated, context, [second])).toBe('text')
    expect(() => open(rotated)).toThrow('no private key')
    expect(() => open(rotated, { ...context, version: 4 }, [second])).toThrow()
  })
})
