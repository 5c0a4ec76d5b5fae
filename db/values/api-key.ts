import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BASE62, randomBase62 } from './base62.ts'

/**
 * An API key: `sl_`, 30 characters of base62 (178 bits of entropy), 6 characters of base62 with the CRC32 of what
 * stands before them. A mistyped key is told from a real one without asking the database, and scanners find leaked ones.
 */
const PREFIX = 'sl_'
const SECRET_LENGTH = 30
const CHECKSUM_LENGTH = 6
const PATTERN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

export function createApiKey(): string {
  const secret = randomBase62(SECRET_LENGTH)
  return PREFIX + secret + checksum(PREFIX + secret)
}

/** Whether the text has the form of a key and its checksum is right. */
export function isWellFormedApiKey(text: string): boolean {
  return PATTERN.test(text) && text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH))
}

/** SHA-256, all that is stored of a key: with this much entropy a slow hash would add nothing. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** What may be shown of a key in lists. */
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
