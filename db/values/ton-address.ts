import { base64urlnopad, utils } from '@scure/base'

/** Flags, workchain and 32 bytes, followed by a CRC-16 (XMODEM). */
const friendly = utils.chain(
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
    const bytes = friendly.decode(text.replaceAll('+', '-').replaceAll('/', '_'))
    const [flags, workchain] = bytes
    if (flags !== BOUNCEABLE && flags !== NOT_BOUNCEABLE) return null
    if (workchain !== 0 && workchain !== MASTERCHAIN) return null
    return friendly.encode(Uint8Array.of(BOUNCEABLE, ...bytes.slice(1)))
  } catch {
    return null
  }
}

/** The canonical form of a raw address: workchain, colon and 64 hexadecimal digits. */
export function tonAddress(raw: string): string {
  const [workchain, hash] = raw.split(':') as [string, string]
  return friendly.encode(Uint8Array.of(BOUNCEABLE, Number(workchain) & 0xff, ...Buffer.from(hash, 'hex')))
}

function crc16(data: Uint8Array): number {
  let crc = 0
  for (const byte of data) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return crc
}
