import { keccak256 } from 'viem'

const BYTES = 256
const EMPTY = `0x${'00'.repeat(BYTES)}`
const bitsOf = new Map<string, number[]>()

/** The bloom filter of logs as the yellow paper defines it: three bits for each address and topic. */
export function bloomOf(logs: readonly { address: string; topics: readonly string[] }[]): string {
  if (logs.length === 0) return EMPTY
  const bloom = Buffer.alloc(BYTES)
  for (const { address, topics } of logs)
    for (const value of [address, ...topics])
      for (const bit of bits(value)) bloom[BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7)
  return `0x${bloom.toString('hex')}`
}

export function orBlooms(blooms: readonly string[]): string {
  if (blooms.every((bloom) => bloom === EMPTY)) return EMPTY
  const all = Buffer.alloc(BYTES)
  for (const bloom of blooms) {
    const bytes = Buffer.from(bloom.slice(2), 'hex')
    for (let i = 0; i < BYTES; i++) all[i]! |= bytes[i]!
  }
  return `0x${all.toString('hex')}`
}

function bits(value: string): number[] {
  const known = bitsOf.get(value)
  if (known) return known
  const hash = Buffer.from(keccak256(value as `0x${string}`).slice(2), 'hex')
  const found = [0, 2, 4].map((at) => hash.readUInt16BE(at) & 2047)
  bitsOf.set(value, found)
  return found
}
