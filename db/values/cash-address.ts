import { utils } from '@scure/base'

const LETTERS = utils.alphabet('qpzry9x8gf2tvdw0s3jn54khce6mua7l')
const WORDS = utils.radix2(5)
const CHECKSUM_WORDS = 8
/** Generator of the checksum, a BCH code over 40 bits. */
const GENERATOR = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]

export interface CashAddress {
  pays: 'key' | 'script'
  /** 20 bytes, or 32 of a script */
  hash: Uint8Array
}

/**
 * Reads a CashAddr of Bitcoin Cash, with or without its prefix and in upper or lower case. null: any other text, also
 * one with a wrong checksum. The form that says that a wallet knows tokens pays to the same script.
 * https://reference.cash/protocol/blockchain/encoding/cashaddr
 */
export function parseCashAddress(prefix: string, text: string): CashAddress | null {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return null
  const body = lower.startsWith(`${prefix}:`) ? lower.slice(prefix.length + 1) : lower
  if (!/^[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{42,61}$/.test(body)) return null
  const words = LETTERS.decode(body.split(''))
  if (checksum(prefix, words) !== 0n) return null
  const bytes = unpacked(words.slice(0, -CHECKSUM_WORDS))
  if (bytes === null) return null
  const [version = 0xff, ...hash] = bytes
  const isScript = (version >> 3) % 2 === 1
  const length = [20, 24, 28, 32][version & 7]
  const isKnown =
    version >> 5 === 0 && hash.length === length && (length === 20 || (isScript && length === 32))
  return isKnown ? { pays: isScript ? 'script' : 'key', hash: Uint8Array.from(hash) } : null
}

/** The address without its prefix. */
export function cashAddress(prefix: string, { pays, hash }: CashAddress): string {
  const version = (pays === 'script' ? 8 : 0) | (hash.length === 32 ? 3 : 0)
  const payload = WORDS.encode(Uint8Array.of(version, ...hash))
  const sum = checksum(prefix, [...payload, ...Array.from({ length: CHECKSUM_WORDS }, () => 0)])
  const words = Array.from({ length: CHECKSUM_WORDS }, (_, i) => Number((sum >> BigInt(5 * (7 - i))) & 31n))
  return LETTERS.encode([...payload, ...words]).join('')
}

/** null: the bits that fill up the last word are not zero */
function unpacked(words: number[]): Uint8Array | null {
  try {
    return WORDS.decode(words)
  } catch {
    return null
  }
}

/** 0 for words that end with their checksum. */
function checksum(prefix: string, words: readonly number[]): bigint {
  const letters = Array.from(prefix, (letter) => letter.charCodeAt(0) & 31)
  let sum = 1n
  for (const word of [...letters, 0, ...words]) {
    const top = sum >> 35n
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(word)
    GENERATOR.forEach((value, i) => {
      if ((top >> BigInt(i)) & 1n) sum ^= value
    })
  }
  return sum ^ 1n
}
