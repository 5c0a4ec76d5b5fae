import { createHash } from 'node:crypto'
import { base58xrp, utils } from '@scure/base'

const base58check = utils.chain(
  utils.checksum(4, (data) => sha256(sha256(data))),
  base58xrp,
)

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest()

/** The first byte of each address: it gives the r. Secrets have another one. */
const VERSION = 0x00

/** Whether a text is a classic address of the XRP Ledger. X-addresses, which carry a tag, are none. */
export function isXrplAddress(text: string): boolean {
  if (!/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return false
  try {
    const bytes = base58check.decode(text)
    return bytes.length === 21 && bytes[0] === VERSION
  } catch {
    return false
  }
}

/** The address of an account's 20 bytes. */
export const xrplAddress = (accountId: Uint8Array): string =>
  base58check.encode(Uint8Array.of(VERSION, ...accountId))
