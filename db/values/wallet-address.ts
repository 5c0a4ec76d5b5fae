import { base58, bech32 } from '@scure/base'
import { checksum } from 'ox/Address'
import type { ChainKind, Network } from './networks.ts'
import { NETWORKS } from './networks.ts'
import { isTronAddress, isXrplAddress, parseTonAddress } from './account-address.ts'
import { parseUtxoAddress } from './utxo-address.ts'

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Bitcoin comes first: a key or address that it shares with others is one of Bitcoin unless a request names another. */
const UTXO_FORMATS = NETWORKS.flatMap(({ kind, utxo }) => (utxo ? [{ kind, utxo }] : []))

/**
 * Returns kind and canonical form of a wallet address, or null for any other text. EVM: see parseEvmAddress.
 * Bitcoin and what descends from it: see parseUtxoAddress. Solana: base58 of 32 bytes. Tron and the XRP Ledger: see
 * isTronAddress, isXrplAddress. Cosmos SDK: bech32 of 20 or 32 bytes. Sui: 0x and 64 hexadecimal digits.
 * TON: see parseTonAddress.
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

function isSolanaAddress(text: string): boolean {
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
export const WALLET_PATTERN = `(0x([0-9a-f]{40}|[0-9A-F]{40}|[0-9a-fA-F]{64})|[EU][Qf][A-Za-z0-9+/_-]{46}|${BECH32}1[02-9ac-hj-np-z]{38,59}|(${CASH}:)?[qp][02-9ac-hj-np-z]{41,60}|[13r]${BASE58}{24,34}|${KEYS}${BASE58}{107}|${BASE58}{32,44})`
