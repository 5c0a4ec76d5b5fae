import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { merge, shapeOf } from '../../activities/drift/shape.ts'
import { anyShape } from './any-shape.ts'

describe('merging shapes', () => {
  test('is commutative', () => {
    fc.assert(
      fc.property(anyShape, anyShape, (a, b) => {
        expect(merge(a, b)).toEqual(merge(b, a))
      }),
    )
  })

  test('is associative', () => {
    fc.assert(
      fc.property(anyShape, anyShape, anyShape, (a, b, c) => {
        expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)))
      }),
    )
  })

  test('is idempotent, also of each part', () => {
    fc.assert(
      fc.property(anyShape, anyShape, (a, b) => {
        expect(merge(a, structuredClone(a))).toEqual(a)
        expect(merge(merge(a, b), b)).toEqual(merge(a, b))
      }),
    )
  })

  test('is the same after a shape was stored as JSON', () => {
    fc.assert(
      fc.property(anyShape, (a) => {
        expect(JSON.parse(JSON.stringify(a))).toEqual(a)
      }),
    )
  })
})

describe('the shape of an answer', () => {
  test('says fields, types and nulls; arrays as the union of their elements', () => {
    expect(
      shapeOf([
        { id: 'a', price: 1 },
        { id: 'b', price: null, rank: 2 },
      ]),
    ).toEqual({
      kinds: ['array'],
      items: {
        kinds: ['object'],
        fields: {
          id: { shape: { kinds: ['string'] } },
          price: { shape: { kinds: ['null', 'number'] } },
          rank: { shape: { kinds: ['number'] }, missing: 'somewhere' },
        },
      },
    })
  })

  test.each([
    '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
    'So11111111111111111111111111111111111111112',
    'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
    'polygon-pos',
    'coingecko:bitcoin',
    'BTC',
    'XXBTZUSD',
    '21',
    '2026-11-26',
    'somebody@example.com',
    'b10a8db164e0754105b7a99be72e3fe5',
  ])('has one * for the keys of a map such as %s', (id) => {
    const map = shapeOf({ [id]: { usd: 1 } })
    expect(map.values).toEqual(shapeOf({ usd: 1 }))
    expect(JSON.stringify(map)).not.toContain(id)
    expect(merge(map, shapeOf({ [id]: { usd: 2 }, 'other:id': { usd: 3 } }))).toEqual(map)
  })

  test.each([
    'price_change_percentage_24h_in_currency',
    'priceChangePercentage24hInCurrency',
    'USD_price',
    'h24',
    '_id',
  ])('keeps the name of a field such as %s', (field) => {
    expect(shapeOf({ [field]: 1 }).fields).toEqual({ [field]: { shape: { kinds: ['number'] } } })
  })

  test('becomes a map with many keys, in one answer or in many', () => {
    const words = Array.from(
      { length: 120 },
      (_, i) => `${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i / 26)}y`,
    )
    const whole = shapeOf(Object.fromEntries(words.map((word) => [word, 1])))
    const one = words.map((word) => shapeOf({ [word]: 1 })).reduce(merge)
    expect([whole, one]).toEqual(
      Array.from({ length: 2 }, () => ({ kinds: ['object'], values: { kinds: ['number'] } })),
    )
  })

  test('is small and quick for the largest answers, and does not look deeper than it must', () => {
    const row = { id: 1, tags: ['a'], quotes: { USD: { price: 1 } } }
    const list = Array.from({ length: 100_000 }, () => row)
    expect(shapeOf(list)).toEqual(shapeOf([row]))
    let deep: unknown = 1
    for (let i = 0; i < 400; i++) deep = { a: deep }
    expect(JSON.stringify(shapeOf(deep)).length).toBeLessThan(1_000)
    expect(shapeOf({ metadata: { anything: 1 } })).toEqual(shapeOf({ metadata: { else: 'x' } }))
  })
})
