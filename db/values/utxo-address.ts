import { createHash } from 'node:crypto'
import { bech32, bech32m, createBase58check } from '@scure/base'
import { cashAddress, parseCashAddress } from './cash-address.ts'
import type { KeyScript, UtxoFormats } from './networks/utxo-formats.ts'

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
