import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { apiKeyPrefix, createApiKey, hashApiKey, isWellFormedApiKey } from '../../db/values/api-key.ts'

test('keys consist of sl_, 30 random characters and a checksum, and never repeat', () => {
  const keys = Array.from({ length: 1_000 }, createApiKey)
  for (const key of keys) {
    expect(key).toMatch(/^sl_[0-9A-Za-z]{36}$/)
    expect(isWellFormedApiKey(key)).toBe(true)
  }
  expect(new Set(keys).size).toBe(1_000)
})

test('the checksum is the CRC32 in base62', () => {
  const key = createApiKey()
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const sum = key
    .slice(-6)
    .split('')
    .reduce((value, character) => value * 62 + digits.indexOf(character), 0)
  expect(sum).toBe(crc32(key.slice(0, -6)))
})

test('the checksum detects every single wrong character', () => {
  const key = createApiKey()
  for (let i = 0; i < key.length; i++) {
    const other = key[i] === 'x' ? 'y' : 'x'
    expect(isWellFormedApiKey(key.slice(0, i) + other + key.slice(i + 1))).toBe(false)
  }
})

test.each(['', 'sl_', 'SL_', ' ', 'x'.repeat(10_000), `${createApiKey()} `, `sl_${'!'.repeat(36)}`])(
  '%j is not a well-formed key',
  (text) => expect(isWellFormedApiKey(text)).toBe(false),
)

test('the stored and displayed forms do not reveal the key', () => {
  const key = createApiKey()
  expect(hashApiKey(key)).toHaveLength(32)
  expect(apiKeyPrefix(key)).toBe(key.slice(0, 8))
})
