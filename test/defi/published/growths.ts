import fc from 'fast-check'
import { expect } from 'vitest'
import { runs } from '../../setup/runs.ts'

// What concentrated liquidity earns, by the parts of a price range. A growth is what a unit of liquidity earned, with 64
// fractional bits, modulo 2^128.

/** Both programs have ticks up to this one, in both directions. */
export const MAX_TICK = 443_636

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
const parts = (bits: number, gained = 127) => ({
  below: upTo(bits),
  inside: upTo(bits),
  above: upTo(bits),
  gained: fc.integer({ min: 0, max: gained }).chain(upTo),
  owed: upTo(60),
})

/** Growths of up to some bits. `of`: with fewer, what is gained rarely overflows. */
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

/** Where a pool's price is. */
export interface Place {
  /** thousandths of the range, from its lower end */
  share: number
  /** from there */
  ticks: number
  /** thousandths of the way to the next tick */
  within: number
}

export const places: fc.Arbitrary<Place> = fc.record({
  share: fc.oneof(fc.constantFrom(0, 1_000), fc.nat(1_000), fc.integer({ min: -300, max: 1_300 })),
  ticks: fc.integer({ min: -1, max: 1 }),
  within: fc.oneof(fc.constant(0), fc.nat(999)),
})

/** The price at a place of a range, as far as programs allow. */
export function priceAt(
  { share, ticks, within }: Place,
  of: { lower: number; upper: number; sqrtPriceAt: (tick: number) => bigint },
): bigint {
  const { lower, upper, sqrtPriceAt } = of
  const wanted = lower + Math.floor(((upper - lower) * share) / 1_000) + ticks
  const tick = Math.min(Math.max(wanted, -MAX_TICK), MAX_TICK - 1)
  const price = sqrtPriceAt(tick)
  return price + ((sqrtPriceAt(tick + 1) - price) * BigInt(within)) / 1_000n
}

/** Prices of ticks equal those of a published library, at both ends and anywhere between. */
export function expectPricesOfTicks(ours: (tick: number) => bigint, published: (tick: number) => bigint) {
  for (const end of [-MAX_TICK, -1, 0, 1, MAX_TICK]) expect(ours(end)).toBe(published(end))
  fc.assert(
    fc.property(fc.integer({ min: -MAX_TICK, max: MAX_TICK }), (tick) => {
      expect(ours(tick)).toBe(published(tick))
    }),
    { numRuns: runs({ short: 1_000, long: 100_000 }) },
  )
}
