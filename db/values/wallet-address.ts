import { base58, bech32, base58xrp, base64urlnopad, utils } from '@scure/base'
import { checksum } from 'ox/Address'
import { parseCardanoAddress } from './cardano-address.ts'
import type { ChainKind, Network } from './networks.ts'
import { NETWORKS } from './networks.ts'
import { parseUtxoAddress, base58check } from './utxo-address.ts'
import { createHash } from 'node:crypto'

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Bitcoin comes first: a key or address that it shares with others is one of Bitcoin unless a request names another. */
const UTXO_FORMATS = NETWORKS.flatMap(({ kind, utxo }) => (utxo ? [{ kind, utxo }] : []))

/**
 * Returns kind and canonical form of a wallet address, or null for any other text. EVM: see parseEvmAddress.
 * Bitcoin and what descends from it: see parseUtxoAddress. Solana: base58 of 32 bytes. Tron and the XRP Ledger: see
 * isTronAddress, isXrplAddress. Cosmos SDK: bech32 of 20 or 32 bytes. Sui: 0x and 64 hexadecimal digits.
 * TON: see parseTonAddress. Cardano: see parseCardanoAddress.
 * Hexadecimal and bech32 become lower case; everything else keeps its spelling.
 */
export function parseWalletAddress(text: string): { kind: ChainKind; address: string } | null {
  const evm = parseEvmAddress(text)
  if (evm !== null) return { kind: 'evm', address: evm }
  for (const { kind, utxo } of UTXO_FORMATS) {
    const address = parseUtxoAddress(utxo, text)
    if (address !== null) return { kind, address }
  }
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return { kind: 'sui', address: text.toLowerCase() }
  const ton = parseTonAddress(text)
  if (ton !== null) return { kind: 'ton', address: ton }
  const cardano = parseCardanoAddress(text)
  if (cardano !== null) return { kind: 'cardano', address: cardano }
  if (isTronAddress(text)) return { kind: 'tron', address: text }
  if (isXrplAddress(text)) return { kind: 'xrpl', address: text }
  if (COSMOS_ADDRESS.test(text)) {
    const cosmos = parseCosmosAddress(text)
    return cosmos === null ? null : { kind: 'cosmos', address: cosmos }
  }
  return isSolanaAddress(text) ? { kind: 'solana', address: text } : null
}

/** Whether a canonical address is one of the network. */
export function isAddressOf({ kind, utxo, cosmos }: Network, address: string): boolean {
  if (utxo) return parseUtxoAddress(utxo, address) === address
  if (cosmos && !address.startsWith(`${cosmos.prefix}1`)) return false
  return parseWalletAddress(address)?.kind === kind
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

const COSMOS_PREFIXES = NETWORKS.flatMap(({ cosmos }) => cosmos?.prefix ?? [])

/** In one case: of the others that look like this some decode as a key of Solana. */
const COSMOS_ADDRESS = new RegExp(
  COSMOS_PREFIXES.flatMap((prefix) => [`^${prefix}1[a-z0-9]+$`, `^${prefix.toUpperCase()}1[A-Z0-9]+$`]).join(
    '|',
  ),
)

/** One key has an address on each chain of the Cosmos SDK, which differ by prefix and checksum. */
function parseCosmosAddress(text: string): string | null {
  const lower = text.toLowerCase()
  const decoded = bech32.decodeUnsafe(lower)
  const bytes = decoded && bech32.fromWordsUnsafe(decoded.words)
  // 32 bytes: of a contract or a module.
  return bytes && (bytes.length === 20 || bytes.length === 32) ? lower : null
}

/** Whether a text is an account of Solana: base58 of 32 bytes. */
export function isSolanaAddress(text: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return false
  return base58.decode(text).length === 32
}

const BASE58 = '[1-9A-HJ-NP-Za-km-z]'
const FORMATS = UTXO_FORMATS.map(({ utxo }) => utxo)
const oneOfThese = (texts: readonly string[]) => `(${[...new Set(texts)].join('|')})`
const BECH32 = oneOfThese([...FORMATS.flatMap(({ segwit }) => segwit ?? []), ...COSMOS_PREFIXES])
const CASH = oneOfThese(FORMATS.flatMap(({ cash }) => cash ?? []))
const KEYS = oneOfThese(FORMATS.flatMap(({ keys }) => Object.keys(keys)))

/** Only an approximation, because most of these addresses have a checksum. */
export const WALLET_PATTERN = `(0x([0-9a-f]{40}|[0-9A-F]{40}|[0-9a-fA-F]{64})|[EU][Qf][A-Za-z0-9+/_-]{46}|${BECH32}1[02-9ac-hj-np-z]{38,59}|(addr|stake)1[02-9ac-hj-np-z]{53,101}|(Ae2|Ddz)${BASE58}{50,110}|(${CASH}:)?[qp][02-9ac-hj-np-z]{41,60}|[13r]${BASE58}{24,34}|${KEYS}${BASE58}{107}|${BASE58}{32,44})`

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
function parseTonAddress(text: string): string | null {
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
