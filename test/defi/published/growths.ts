import fc from 'fast-check'

// What concentrated liquidity earns, by the parts of a price range. A growth is what a unit of liquidity earned, with 64
// fractional bits, modulo 2^128.

/** Of one fee or reward. */
export interface Earned {
  below: bigint
  inside: bigint
  above: bigint
  /** the part of `inside` that is not counted yet */
  gained: bigint
  /** base units, counted already */
  owed: bigint
}

export const modulo = (value: bigint, bits = 128): bigint => BigInt.asUintN(bits, value)

const upTo = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
const parts = (bits: number) => ({
  below: upTo(bits),
  inside: upTo(bits),
  above: upTo(bits),
  gained: fc.integer({ min: 0, max: 127 }).chain(upTo),
  owed: upTo(60),
})

/** Growths of up to some bits. */
export const earned = Object.assign((bits: number): fc.Arbitrary<Earned> => fc.record(parts(bits)), {
  of: parts,
})

/** What the pool, both ends and the position store of it: an end has what was earned on its side without the tick. */
export function growths(
  { below, inside, above, gained }: Earned,
  { tick, lower, upper }: { tick: number; lower: number; upper: number },
) {
  return {
    all: modulo(below + inside + above),
    lower: modulo(tick >= lower ? below : inside + above),
    upper: modulo(tick < upper ? above : below + inside),
    checkpoint: modulo(inside - gained),
  }
}
