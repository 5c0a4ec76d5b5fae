import { base58 } from '@scure/base'
import { checksum } from 'ox/Address'
import type { ChainKind, Network } from './networks.ts'
import { NETWORKS } from './networks.ts'
import { isTronAddress } from './tron-address.ts'
import { parseUtxoAddress } from './utxo-address.ts'
import { isXrplAddress } from './xrpl-address.ts'

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Bitcoin comes first: a key or address that it shares with others is one of Bitcoin unless a request names another. */
const UTXO_FORMATS = NETWORKS.flatMap(({ kind, utxo }) => (utxo ? [{ kind, utxo }] : []))

/**
 * Returns kind and canonical form of a wallet address, or null for any other text. EVM: see parseEvmAddress.
 * Bitcoin and what descends from it: see parseUtxoAddress. Solana: base58 of 32 bytes. Tron and the XRP Ledger: see
 * isTronAddress, isXrplAddress.
 * Hexadecimal and bech32 become lower case; everything else keeps its spelling.
 */
export function parseWalletAddress(text: string): { kind: ChainKind; address: string } | null {
  const evm = parseEvmAddress(text)
  if (evm !== null) return { kind: 'evm', address: evm }
  for (const { kind, utxo } of UTXO_FORMATS) {
    const address = parseUtxoAddress(utxo, text)
    if (address !== null) return { kind, address }
  }
  if (isTronAddress(text)) return { kind: 'tron', address: text }
  if (isXrplAddress(text)) return { kind: 'xrpl', address: text }
  return isSolanaAddress(text) ? { kind: 'solana', address: text } : null
}

/** Whether a canonical address is one of the network. */
export function isAddressOf({ kind, utxo }: Network, address: string): boolean {
  if (utxo) return parseUtxoAddress(utxo, address) === address
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

function isSolanaAddress(text: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return false
  return base58.decode(text).length === 32
}
