import { createHash } from 'node:crypto'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import { checksum } from 'ox/Address'
import type { ChainKind } from './networks.ts'

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Version bytes of extended public keys by their first letters (SLIP-132). */
const EXTENDED_VERSIONS = { xpub: 0x0488b21e, ypub: 0x049d7cb2, zpub: 0x04b24746 } as const
const PAY_TO_KEY_HASH = 0x00
const PAY_TO_SCRIPT_HASH = 0x05

export type ExtendedKeyType = keyof typeof EXTENDED_VERSIONS

export const base58check = createBase58check((data) => createHash('sha256').update(data).digest())

/**
 * Returns kind and canonical form of a wallet address, or null for any other text. EVM: see parseEvmAddress.
 * Bitcoin main net: base58 and bech32 addresses with a valid checksum, and xpub, ypub, zpub. Solana: base58
 * of 32 bytes. Hexadecimal and bech32 become lower case; everything else keeps its spelling.
 */
export function parseWalletAddress(text: string): { kind: ChainKind; address: string } | null {
  const evm = parseEvmAddress(text)
  if (evm !== null) return { kind: 'evm', address: evm }
  const bitcoin = parseBitcoinAddress(text)
  if (bitcoin !== null) return { kind: 'bitcoin', address: bitcoin }
  return isSolanaAddress(text) ? { kind: 'solana', address: text } : null
}

/**
 * Returns the canonical (lower-case) form of an EVM address, or null for any other text. All lower or all
 * upper case carries no checksum; mixed case must match EIP-55.
 */
export function parseEvmAddress(text: string): string | null {
  if (!EVM_ADDRESS.test(text)) return null
  const digits = text.slice(2)
  const lower = digits.toLowerCase()
  if (digits !== lower && digits !== digits.toUpperCase() && checksum(`0x${lower}`) !== text) return null
  return `0x${lower}`
}

/** null: a single address, not an extended public key */
export function extendedKeyType(address: string): ExtendedKeyType | null {
  return isExtendedKey(address) ? (address.slice(0, 4) as ExtendedKeyType) : null
}

function parseBitcoinAddress(text: string): string | null {
  if (/^bc1/i.test(text)) return segwitAddress(text)
  if (isExtendedKey(text)) return text
  if (!/^[13][1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return null
  const bytes = unchecked(text)
  const isAddress = bytes?.length === 21 && (bytes[0] === PAY_TO_KEY_HASH || bytes[0] === PAY_TO_SCRIPT_HASH)
  return isAddress ? text : null
}

/** BIP 173 and BIP 350: bech32 for version 0, bech32m for later versions, never mixed case. */
function segwitAddress(text: string): string | null {
  const lower = text.toLowerCase()
  if (text.length > 90 || (text !== lower && text !== text.toUpperCase())) return null
  for (const coder of [bech32, bech32m]) {
    const decoded = coder.decodeUnsafe(lower, 90)
    if (!decoded || decoded.prefix !== 'bc') continue
    const [version = -1, ...words] = decoded.words
    const program = coder.fromWordsUnsafe(words)
    if (!program || (version === 0) !== (coder === bech32)) return null
    const lengths = version === 0 ? [20, 32] : version === 1 ? [32] : []
    return lengths.includes(program.length) ? lower : null
  }
  return null
}

/** 78 bytes: version, depth, parent, index, chain code, and a compressed public key. */
function isExtendedKey(text: string): boolean {
  const type = text.slice(0, 4)
  if (text.length !== 111 || !Object.hasOwn(EXTENDED_VERSIONS, type)) return false
  const bytes = unchecked(text)
  if (bytes?.length !== 78) return false
  const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  return version === EXTENDED_VERSIONS[type as ExtendedKeyType] && (bytes[45] === 2 || bytes[45] === 3)
}

function isSolanaAddress(text: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return false
  return base58.decode(text).length === 32
}

/** Decodes base58check; null when the checksum is wrong. */
function unchecked(text: string): Uint8Array | null {
  try {
    return base58check.decode(text)
  } catch {
    return null
  }
}
