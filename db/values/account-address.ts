import { createHash } from 'node:crypto'
import { base58xrp, base64urlnopad, utils } from '@scure/base'
import { base58check } from './utxo-address.ts'

// Addresses with checksums of networks with accounts: Tron, the XRP Ledger and TON.

/** The first byte of each address of Tron: it gives the T. */
const TRON_VERSION = 0x41

/** Whether a text is an address of Tron: base58 with a valid checksum. */
export function isTronAddress(text: string): boolean {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return false
  try {
    const bytes = base58check.decode(text)
    return bytes.length === 21 && bytes[0] === TRON_VERSION
  } catch {
    return false
  }
}

/** The address of Tron of 20 bytes in hexadecimal digits; what comes before them, 0x or 41, does not matter. */
export function tronAddress(hex: string): string {
  return base58check.encode(Uint8Array.of(TRON_VERSION, ...Buffer.from(hex.slice(-40), 'hex')))
}

/** The 20 bytes of an address of Tron, in hexadecimal digits. */
export function tronHex(address: string): string {
  return Buffer.from(base58check.decode(address).slice(1)).toString('hex')
}

const xrplCheck = utils.chain(
  utils.checksum(4, (data) => sha256(sha256(data))),
  base58xrp,
)

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest()

/** The first byte of each address of the XRP Ledger: it gives the r. Secrets have another one. */
const XRPL_VERSION = 0x00

/** Whether a text is a classic address of the XRP Ledger. X-addresses, which carry a tag, are none. */
export function isXrplAddress(text: string): boolean {
  if (!/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return false
  try {
    const bytes = xrplCheck.decode(text)
    return bytes.length === 21 && bytes[0] === XRPL_VERSION
  } catch {
    return false
  }
}

/** The address of the XRP Ledger of an account's 20 bytes. */
export const xrplAddress = (accountId: Uint8Array): string =>
  xrplCheck.encode(Uint8Array.of(XRPL_VERSION, ...accountId))

/** TON: flags, workchain and 32 bytes, followed by a CRC-16 (XMODEM). */
const tonCheck = utils.chain(
  utils.checksum(2, (data) => {
    const crc = crc16(data)
    return Uint8Array.of(crc >> 8, crc & 0xff)
  }),
  base64urlnopad,
)

/** Of the two flags of main net, each of which is accepted: funds for an account without code come back. */
const BOUNCEABLE = 0x11
const NOT_BOUNCEABLE = 0x51
const MASTERCHAIN = 0xff

/**
 * Returns the canonical form of an address of TON, or null for any other text: bounceable and in base64url (EQ or Ef),
 * the form in which lists name tokens. Accepted are both flags and both alphabets of base64. Addresses for test nets are
 * none.
 */
export function parseTonAddress(text: string): string | null {
  if (!/^[EU][Qf][A-Za-z0-9+/_-]{46}$/.test(text)) return null
  try {
    const bytes = tonCheck.decode(text.replaceAll('+', '-').replaceAll('/', '_'))
    const [flags, workchain] = bytes
    if (flags !== BOUNCEABLE && flags !== NOT_BOUNCEABLE) return null
    if (workchain !== 0 && workchain !== MASTERCHAIN) return null
    return tonCheck.encode(Uint8Array.of(BOUNCEABLE, ...bytes.slice(1)))
  } catch {
    return null
  }
}

/** The canonical form of a raw address of TON: workchain, colon and 64 hexadecimal digits. */
export function tonAddress(raw: string): string {
  const [workchain, hash] = raw.split(':') as [string, string]
  return tonCheck.encode(Uint8Array.of(BOUNCEABLE, Number(workchain) & 0xff, ...Buffer.from(hash, 'hex')))
}

function crc16(data: Uint8Array): number {
  let crc = 0
  for (const byte of data) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return crc
}
