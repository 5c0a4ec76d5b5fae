/**
 * A set of addresses that answers "no" or "maybe". It keeps the last 64 bits of each address, so an address
 * costs 8 to 32 bytes and a look-up allocates nothing. It never misses an address; the exact join of a commit
 * drops the few wrong ones.
 */
export interface AddressSet {
  readonly size: number
  add: (address: string) => void
  /** `text` ends with the digits of the address, in any case: an address, or a topic of a log. */
  mayHave: (text: string) => boolean
  /** The same for bits that `lastBits` returned. */
  mayHaveBits: (high: number, low: number) => boolean
}

const SMALLEST = 1_024

export function createAddressSet(): AddressSet {
  // Open addressing with linear probing, at most half full. A slot of two zeros is empty, so the address
  // whose last 64 bits are zero has a flag of its own.
  let slots = new Uint32Array(2 * SMALLEST)
  let hasZero = false
  let size = 0

  /** The slot of the bits, or the empty one where they belong. */
  function find(high: number, low: number): number {
    const mask = slots.length / 2 - 1
    for (let at = mix(high, low) & mask; ; at = (at + 1) & mask) {
      const slotHigh = slots[2 * at]
      const slotLow = slots[2 * at + 1]
      if ((slotHigh === high && slotLow === low) || (slotHigh === 0 && slotLow === 0)) return 2 * at
    }
  }

  function grow(): void {
    const old = slots
    slots = new Uint32Array(2 * old.length)
    for (let at = 0; at < old.length; at += 2)
      if (old[at] !== 0 || old[at + 1] !== 0) {
        const to = find(old[at]!, old[at + 1]!)
        slots[to] = old[at]!
        slots[to + 1] = old[at + 1]!
      }
  }

  function mayHaveBits(high: number, low: number): boolean {
    if (high === 0 && low === 0) return hasZero
    const at = find(high, low)
    return slots[at] !== 0 || slots[at + 1] !== 0
  }

  return {
    get size() {
      return size
    },
    add(address) {
      const high = bitsAt(address, address.length - 16)
      const low = bitsAt(address, address.length - 8)
      if (mayHaveBits(high, low)) return
      size++
      if (high === 0 && low === 0) {
        hasZero = true
        return
      }
      if (4 * size > slots.length) grow()
      const at = find(high, low)
      slots[at] = high
      slots[at + 1] = low
    },
    mayHave: (text) => mayHaveBits(bitsAt(text, text.length - 16), bitsAt(text, text.length - 8)),
    mayHaveBits,
  }
}

/** Two unsigned 32-bit numbers: the last 16 hexadecimal digits of the text. */
export function lastBits(text: string): [high: number, low: number] {
  return [bitsAt(text, text.length - 16), bitsAt(text, text.length - 8)]
}

function bitsAt(text: string, start: number): number {
  let bits = 0
  for (let i = start; i < start + 8; i++) {
    const code = text.charCodeAt(i)
    // '0' to '9' end with their value; 'A' to 'F' and 'a' to 'f' with that of their letter, which begins at 1.
    bits = (bits << 4) | ((code & 0xf) + (code > 64 ? 9 : 0))
  }
  return bits >>> 0
}

/** The upper bits of one product reach the lower ones, which choose the slot. */
function mix(high: number, low: number): number {
  const product = Math.imul(high ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(low, 0xc2b2ae35)
  return (product ^ (product >>> 15)) >>> 0
}
