import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountsOf, sqrtPriceAtTick } from '../../activities/defi/uniswap-amounts.ts'

// Independent arithmetic: powers of 1.0001 as integers with 300 fractional bits, roots by Newton's method.

const BITS = 300n
const ONE = 1n << BITS

/** sqrt(1.0001)^tick with 300 fractional bits. */
function rootOfPrice(tick: number): bigint {
  const step = integerRoot((10_001n << (2n * BITS)) / 10_000n)
  let power = ONE
  let square = step
  for (let left = Math.abs(tick); left > 0; left >>= 1) {
    if (left & 1) power = (power * square) >> BITS
    square = (square * square) >> BITS
  }
  return tick < 0 ? (ONE << BITS) / power : power
}

function integerRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

const tick = fc.integer({ min: -887_272, max: 887_272 })

describe('sqrtPriceAtTick', () => {
  test('equals the contract at both ends and at zero, and throws outside', () => {
    expect(sqrtPriceAtTick(-887_272)).toBe(4_295_128_739n)
    expect(sqrtPriceAtTick(0)).toBe(1n << 96n)
    expect(sqrtPriceAtTick(887_272)).toBe(1461446703485210103287273052203988822378723970342n)
    for (const none of [887_273, -887_273, 0.5, NaN]) expect(() => sqrtPriceAtTick(none)).toThrow(RangeError)
  })

  test('equals sqrt(1.0001^tick) within the precision of 128 bits', () => {
    fc.assert(
      fc.property(tick, (at) => {
        const exact = rootOfPrice(at) >> (BITS - 96n)
        const difference = sqrtPriceAtTick(at) - exact
        // The contract multiplies 128-bit fractions; each of 20 roundings may be off by one.
        const fraction = (ONE << 128n) / rootOfPrice(Math.abs(at))
        const allowed = (20n * exact) / fraction + 2n
        expect(difference <= allowed && difference >= -allowed).toBe(true)
      }),
    )
  })
})

describe('amountsOf', () => {
  const input = fc
    .record({
      liquidity: fc.bigInt({ min: 1n, max: 1n << 100n }),
      ticks: fc.uniqueArray(fc.integer({ min: -300_000, max: 300_000 }), { minLength: 2, maxLength: 2 }),
      at: fc.integer({ min: -300_000, max: 300_000 }),
    })
    .map(({ liquidity, ticks, at }) => {
      const [tickLower, tickUpper] = ticks.toSorted((a, b) => a - b) as [number, number]
      return { liquidity, tickLower, tickUpper, tick: at, sqrtPriceX96: sqrtPriceAtTick(at) }
    })

  test('equals x = L (1/√p - 1/√b) and y = L (√p - √a), rounded down', () => {
    fc.assert(
      fc.property(input, (position) => {
        const { liquidity, tickLower, tickUpper } = position
        const [low, high] = [rootOfPrice(tickLower), rootOfPrice(tickUpper)]
        const now = rootOfPrice(position.tick)
        const inside = now < low ? low : now > high ? high : now
        const x = (liquidity * (high - inside) * ONE) / (high * inside)
        const y = (liquidity * (inside - low)) >> BITS
        const { amount0, amount1 } = amountsOf(position)
        // Roots are exact to 96 bits and 30 digits, so each term may be too low by this much.
        const slack0 =
          (liquidity * ONE * ONE) / ((inside * inside) << 94n) + (liquidity * ONE) / inside / 10n ** 29n + 3n
        const slack1 = (liquidity >> 94n) + ((liquidity * high) >> BITS) / 10n ** 29n + 3n
        expect(amount0 - x <= slack0 && x - amount0 <= slack0).toBe(true)
        expect(amount1 - y <= slack1 && y - amount1 <= slack1).toBe(true)
      }),
    )
  })

  test('gives only one token outside the range and never a negative amount', () => {
    fc.assert(
      fc.property(input, (position) => {
        const { amount0, amount1 } = amountsOf(position)
        expect(amount0 >= 0n && amount1 >= 0n).toBe(true)
        if (position.tick < position.tickLower) expect(amount1).toBe(0n)
        if (position.tick >= position.tickUpper) expect(amount0).toBe(0n)
      }),
    )
  })
})
