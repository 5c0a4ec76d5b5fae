import { base58check } from './utxo-address.ts'

/** The first byte of each address: it gives the T. */
const VERSION = 0x41

/** Whether a text is an address of Tron: base58 with a valid checksum. */
export function isTronAddress(text: string): boolean {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return false
  try {
    const bytes = base58check.decode(text)
    return bytes.length === 21 && bytes[0] === VERSION
  } catch {
    return false
  }
}

/** The address of 20 bytes in hexadecimal digits; what comes before them, 0x or 41, does not matter. */
export function tronAddress(hex: string): string {
  return base58check.encode(Uint8Array.of(VERSION, ...Buffer.from(hex.slice(-40), 'hex')))
}

/** The 20 bytes of an address, in hexadecimal digits. */
export function tronHex(address: string): string {
  return Buffer.from(base58check.decode(address).slice(1)).toString('hex')
}
