import { keccak256 } from 'viem'

const BYTES = 256
const EMPTY = `0x${'00'.repeat(BYTES)}`

export const isEmptyBloom = (bloom: string): boolean => bloom === EMPTY

/** The bloom filter of logs: three bits for each address and topic (Ethereum's yellow paper, 4.4.3). */
export function bloomOf(logs: readonly { address: string; topics: readonly string[] }[]): string {
  const bloom = Buffer.alloc(BYTES)
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address.toLowerCase(), ...topics]))) {
    const hash = keccak256(value as `0x${string}`, 'bytes')
    for (const at of [0, 2, 4]) {
      const bit = ((hash[at]! << 8) | hash[at + 1]!) & 2_047
      bloom[BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7)
    }
  }
  return `0x${bloom.toString('hex')}`
}

/** The bits that are set in any of the filters. */
export function joinBlooms(blooms: readonly string[]): string {
  const joined = Buffer.alloc(BYTES)
  for (const bloom of blooms) {
    if (isEmptyBloom(bloom)) continue
    const bytes = Buffer.from(bloom.slice(2), 'hex')
    for (let i = 0; i < BYTES; i++) joined[i]! |= bytes[i]!
  }
  return `0x${joined.toString('hex')}`
}
