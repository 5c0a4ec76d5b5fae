import { getAddress } from 'viem/utils'

const HEX = /^0x[0-9a-fA-F]{40}$/

/**
 * Returns the canonical (lower-case) form of an EVM address, or null for any other text. All lower or all
 * upper case carries no checksum; mixed case must match EIP-55.
 */
export function parseEvmAddress(text: string): string | null {
  if (!HEX.test(text)) return null
  const digits = text.slice(2)
  const lower = digits.toLowerCase()
  if (digits !== lower && digits !== digits.toUpperCase() && getAddress(`0x${lower}`) !== text) return null
  return `0x${lower}`
}
