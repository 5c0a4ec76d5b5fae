import { getAddress } from 'viem/utils'

const HEX = /^0x[0-9a-fA-F]{40}$/

/**
 * Canonical (lower-case) form of an EVM address; null when it is none. All lower and all upper case carry no checksum;
 * mixed case has to match EIP-55.
 */
export function parseEvmAddress(text: string): string | null {
  if (!HEX.test(text)) return null
  const digits = text.slice(2)
  const lower = digits.toLowerCase()
  if (digits !== lower && digits !== digits.toUpperCase() && getAddress(`0x${lower}`) !== text) return null
  return `0x${lower}`
}
