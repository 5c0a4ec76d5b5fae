import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAddressSet, lastBits } from '../../activities/chain/follow/address-set.ts'

const digits = fc.string({
  unit: fc.nat({ max: 15 }).map((n) => n.toString(16)),
  minLength: 40,
  maxLength: 40,
})
/** Addresses that share most digits collide most often, and those of zeros meet the mark of an empty slot. */
const crowded = fc
  .tuple(fc.constantFrom('0', 'f', '8'), fc.nat(40))
  .map(([digit, n]) => `${n}`.padStart(40, digit))
const address = fc.oneof(digits, crowded).map((text) => `0x${text}`)

describe('the address set', () => {
  test('knows every address that was added, in each case and as a topic', () => {
    fc.assert(
      fc.property(fc.array(address, { maxLength: 200 }), (addresses) => {
        const set = createAddressSet()
        for (const one of addresses) set.add(one)
        for (const one of addresses) {
          expect(set.mayHave(one)).toBe(true)
          expect(set.mayHave(`0x${one.slice(2).toUpperCase()}`)).toBe(true)
          expect(set.mayHave(`0x${one.slice(2).padStart(64, '0')}`)).toBe(true)
          expect(set.mayHaveBits(...lastBits(one))).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('answers as a plain set of the last 64 bits does', () => {
    fc.assert(
      fc.property(
        fc.array(address, { maxLength: 100 }),
        fc.array(address, { maxLength: 100 }),
        (added, asked) => {
          const set = createAddressSet()
          const plain = new Set(added.map((one) => one.slice(-16)))
          for (const one of added) set.add(one)
          expect(set.size).toBe(plain.size)
          for (const one of asked) expect(set.mayHave(one)).toBe(plain.has(one.slice(-16)))
        },
      ),
      { numRuns: 50 },
    )
  })

  test('keeps its addresses while it grows', () => {
    const set = createAddressSet()
    const nth = (n: number) =>
      `0x${(BigInt(n) * 0x9e3779b97f4a7c15n).toString(16).padStart(40, '0').slice(-40)}`
    for (let n = 0; n < 20_000; n++) set.add(nth(n))
    expect(set.size).toBe(20_000)
    for (let n = 0; n < 20_000; n++) if (!set.mayHave(nth(n))) throw new Error(`missed ${nth(n)}`)
    let wrong = 0
    for (let n = 20_000; n < 40_000; n++) if (set.mayHave(nth(n))) wrong++
    expect(wrong).toBe(0)
  })

  test('keeps addresses of which a half is zeros while it grows', () => {
    const set = createAddressSet()
    const half = (n: number) => n.toString(16).padStart(8, '0')
    const halves = Array.from({ length: 3_000 }, (_, i) => [
      `${half(i + 1)}${half(0)}`,
      `${half(0)}${half(i + 1)}`,
    ])
    const addresses = halves.flat().map((last) => `0x${'1'.repeat(24)}${last}`)
    for (const one of addresses) set.add(one)
    expect(set.size).toBe(addresses.length)
    expect(addresses.filter((one) => !set.mayHave(one))).toEqual([])
  })
})

test('the last bits are the numbers that the digits spell', () => {
  expect(lastBits(`0x${'1'.repeat(24)}0123456789abcdef`)).toEqual([0x01234567, 0x89abcdef])
})
