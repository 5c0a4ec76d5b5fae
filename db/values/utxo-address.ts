import { createHash } from 'node:crypto'
import { bech32, bech32m, createBase58check, utils } from '@scure/base'
import type { KeyScript, UtxoFormats } from './networks/network.ts'

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

export const base58check = createBase58check((data) => createHash('sha256').update(data).digest())

/** The first letters of extended public keys are as many on every network. */
const PREFIX = 4

/**
 * Returns the canonical form of an address or extended public key of Bitcoin, or of a network that descends from it.
 * null: any other text. Bech32 becomes lower case, CashAddr too and without its prefix; everything else keeps its
 * spelling.
 */
export function parseUtxoAddress(formats: UtxoFormats, text: string): string | null {
  const { segwit, keyHash, scriptHash, cash } = formats
  if (segwit !== null && text.toLowerCase().startsWith(`${segwit}1`)) return segwitAddress(segwit, text)
  if (extendedKey(formats, text) !== null) return text
  if (cash !== null) {
    const found = parseCashAddress(cash, text)
    return found && cashAddress(cash, found)
  }
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,35}$/.test(text)) return null
  const bytes = unchecked(text)
  const isAddress = bytes?.length === 21 && (bytes[0] === keyHash || bytes[0] === scriptHash)
  return isAddress ? text : null
}

/** BIP 173 and BIP 350: bech32 for version 0, bech32m for later versions, never mixed case. */
function segwitAddress(prefix: string, text: string): string | null {
  const lower = text.toLowerCase()
  if (text.length > 90 || (text !== lower && text !== text.toUpperCase())) return null
  for (const coder of [bech32, bech32m]) {
    const decoded = coder.decodeUnsafe(lower, 90)
    if (!decoded || decoded.prefix !== prefix) continue
    const [version = -1, ...words] = decoded.words
    const program = coder.fromWordsUnsafe(words)
    if (!program || (version === 0) !== (coder === bech32)) return null
    const lengths = version === 0 ? [20, 32] : version === 1 ? [32] : []
    return lengths.includes(program.length) ? lower : null
  }
  return null
}

/**
 * The version bytes of an extended public key, and what its addresses pay to. null: no such key. It has 78 bytes:
 * version, depth, parent, index, chain code, and a compressed public key.
 */
export function extendedKey(
  { keys }: UtxoFormats,
  text: string,
): { version: number; script: KeyScript } | null {
  const letters = text.slice(0, PREFIX)
  if (text.length !== 111 || !Object.hasOwn(keys, letters)) return null
  const bytes = unchecked(text)
  if (bytes?.length !== 78) return null
  const key = keys[letters]!
  const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  return version === key.version && (bytes[45] === 2 || bytes[45] === 3) ? key : null
}

/** Decodes base58check; null when the checksum is wrong. */
function unchecked(text: string): Uint8Array | null {
  try {
    return base58check.decode(text)
  } catch {
    return null
  }
}
