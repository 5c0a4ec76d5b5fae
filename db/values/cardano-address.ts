import { crc32 } from 'node:zlib'
import { base58, bech32 } from '@scure/base'

/** Of the main network, in the lower half of the first byte. */
const MAIN_NET = 1
/** Bytes of an address with one credential, with two, and with one and a pointer of three numbers. */
const [ONE, TWO, POINTER] = [
  { least: 29, most: 29 },
  { least: 57, most: 57 },
  { least: 32, most: 59 },
]
/** By the upper half of the first byte (CIP-19). */
const PAYMENT_SIZES = [TWO, TWO, TWO, TWO, POINTER, POINTER, ONE, ONE]
const STAKE_TYPES = new Set([14, 15])
/** Bech32 of Cardano is longer than the 90 characters of Bitcoin. */
const LONGEST = 128

/**
 * Returns the canonical form of an address of Cardano's main network, or null for any other text: a payment address
 * (addr1...), a stake address (stake1...), or a payment address of the Byron era. Bech32 becomes lower case.
 */
export function parseCardanoAddress(text: string): string | null {
  const lower = text.toLowerCase()
  if (!/^(addr|stake)1/.test(lower)) return isByronAddress(text) ? text : null
  if (text !== lower && text !== text.toUpperCase()) return null
  const decoded = bech32.decodeUnsafe(lower, LONGEST)
  const bytes = decoded && bech32.fromWordsUnsafe(decoded.words)
  if (!bytes || bytes.length === 0 || (bytes[0]! & 0x0f) !== MAIN_NET) return null
  const type = bytes[0]! >> 4
  const size = decoded.prefix === 'addr' ? PAYMENT_SIZES[type] : STAKE_TYPES.has(type) ? ONE : undefined
  return size && bytes.length >= size.least && bytes.length <= size.most ? lower : null
}

/** Whether a canonical address is a stake address, which stands for all payment addresses that name it. */
export const isStakeAddress = (address: string): boolean => address.startsWith('stake1')

/** CBOR up to the bytes of the payload: a list of two, of which the first is embedded CBOR of one-byte length. */
const BYRON_START = [0x82, 0xd8, 0x18, 0x58]
/** In the payload: a list of three that begins with a hash of 28 bytes. */
const ROOT_START = [0x83, 0x58, 0x1c]
const ROOT_BYTES = 28
/** Attributes of the main network: none, or the encrypted path alone. Others name the magic of a test network. */
const [NO_ATTRIBUTES, ONE_ATTRIBUTE, PATH_ATTRIBUTE] = [0xa0, 0xa1, 0x01]

function isByronAddress(text: string): boolean {
  if (!/^(Ae2|Ddz)[1-9A-HJ-NP-Za-km-z]{50,110}$/.test(text)) return false
  const bytes = base58.decode(text)
  const payload = bytes.subarray(5, 5 + bytes[4]!)
  const checksum = bytes.subarray(5 + payload.length)
  const attributes = payload.subarray(ROOT_START.length + ROOT_BYTES)
  return (
    BYRON_START.every((byte, i) => bytes[i] === byte) &&
    ROOT_START.every((byte, i) => payload[i] === byte) &&
    (attributes[0] === NO_ATTRIBUTES ||
      (attributes[0] === ONE_ATTRIBUTE && attributes[1] === PATH_ATTRIBUTE)) &&
    Buffer.from(checksum).equals(cborNumber(crc32(payload)))
  )
}

/** An unsigned number of CBOR, in the shortest form. */
function cborNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  if (value > 0xffff) return Buffer.from([0x1a, ...bytes])
  if (value > 0xff) return Buffer.from([0x19, ...bytes.subarray(2)])
  return Buffer.from(value > 23 ? [0x18, value] : [value])
}
