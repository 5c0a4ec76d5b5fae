import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BASE62, randomBase62 } from './base62.ts'

/**
 * An API key: `sl_`, 30 characters of base62 (178 bits of entropy), then the CRC32 of all that as 6
 * characters of base62. The checksum catches a mistyped key without a database read and helps scanners find
 * leaked keys.
 */
const PREFIX = 'sl_'
const SECRET_LENGTH = 30
const CHECKSUM_LENGTH = 6
const PATTERN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

export function createApiKey(): string {
  const secret = randomBase62(SECRET_LENGTH)
  return PREFIX + secret + checksum(PREFIX + secret)
}

/** Checks the form and the checksum only. */
export function isWellFormedApiKey(text: string): boolean {
  return PATTERN.test(text) && text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH))
}

/** Only this SHA-256 is stored: with so much entropy in the key, a slow hash would add nothing. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** The start of the key, for lists. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, PREFIX.length + 5)
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % 62]! + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
