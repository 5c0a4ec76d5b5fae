import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indexRow } from '../../activities/insights/index-days.ts'
import { classOf } from '../../api/insights/fear-greed.ts'
import { type Close, rainbow } from '../../api/insights/rainbow.ts'

test.each([
  [0, 'Extreme fear'],
  [24, 'Extreme fear'],
  [25, 'Fear'],
  [44, 'Fear'],
  [45, 'Neutral'],
  [55, 'Neutral'],
  [56, 'Greed'],
  [75, 'Greed'],
  [76, 'Extreme greed'],
  [100, 'Extreme greed'],
])('index value %i has the class %s', (value, name) => expect(classOf(value)).toBe(name))

test.each([
  [
    { value: '40', timestamp: '1551157200' },
    { at: new Date('2019-02-26T00:00:00Z'), value: 40 },
  ],
  [
    { value: 0, timestamp: 1551139200 },
    { at: new Date('2019-02-26T00:00:00Z'), value: 0 },
  ],
  [{ value: '101', timestamp: '1551157200' }, null],
  [{ value: '-1', timestamp: '1551157200' }, null],
  [{ value: '40.5', timestamp: '1551157200' }, null],
  [{ value: '', timestamp: '1551157200' }, null],
  [{ value: null, timestamp: '1551157200' }, null],
  [{ value: '40', timestamp: '1551157200000' }, null],
  [{ value: '40', timestamp: '0' }, null],
  [{ value: '40' }, null],
])('reads an upstream row %j as %j', (row, day) => expect(indexRow.safeParse(row).data ?? null).toEqual(day))

describe('the rainbow', () => {
  const closes = fc
    .uniqueArray(fc.integer({ min: 1, max: 6_000 }), { minLength: 3, maxLength: 60 })
    .chain((days) =>
      fc
        .array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), {
          minLength: days.length,
          maxLength: days.length,
        })
        .map((prices): Close[] => days.map((day, i) => ({ days: day, usd: prices[i]! }))),
    )

  test('has a trend and one of nine bands for each close', () => {
    fc.assert(
      fc.property(closes, (list) => {
        const points = rainbow(list)
        expect(points).toHaveLength(list.length)
        for (const { trend, band } of points) {
          expect(trend).toBeGreaterThan(0)
          expect([1, 2, 3, 4, 5, 6, 7, 8, 9]).toContain(band)
        }
      }),
    )
  })

  test('scales trends and keeps bands in another currency', () => {
    fc.assert(
      fc.property(closes, (list) => {
        const points = rainbow(list)
        // A residual exactly between two bands may be rounded to either.
        const scaled = rainbow(list.map(({ days, usd }) => ({ days, usd: usd * 8 })))
        scaled.forEach(({ trend, band }, i) => {
          expect(trend / points[i]!.trend).toBeCloseTo(8, 4)
          expect(Math.abs(band - points[i]!.band)).toBeLessThanOrEqual(1)
        })
      }),
    )
  })

  test('has residuals that sum to zero', () => {
    fc.assert(
      fc.property(closes, (list) => {
        const residuals = rainbow(list).map(({ trend }, i) => Math.log(list[i]!.usd) - Math.log(trend))
        expect(residuals.reduce((total, r) => total + r, 0)).toBeCloseTo(0, 6)
      }),
    )
  })

  test('reproduces a power law with all closes in the middle band', () => {
    const law = [10, 100, 1_000, 4_000].map((days) => ({ days, usd: 0.002 * days ** 1.7 }))
    const points = rainbow(law)
    points.forEach(({ trend, band }, i) => {
      expect(trend / law[i]!.usd).toBeCloseTo(1, 9)
      expect(band).toBe(5)
    })
  })

  test('puts an expensive day above the middle band and a cheap one below', () => {
    const flat = [100, 200, 400, 800, 1_600, 3_200].map((days) => ({ days, usd: 100 }))
    const [dear, cheap] = [
      rainbow([...flat, { days: 600, usd: 900 }]),
      rainbow([...flat, { days: 600, usd: 10 }]),
    ]
    expect(dear.at(-1)!.band).toBeGreaterThan(5)
    expect(cheap.at(-1)!.band).toBeLessThan(5)
  })

  test('is empty without three closes of different ages', () => {
    expect(rainbow([])).toEqual([])
    expect(
      rainbow([
        { days: 1, usd: 1 },
        { days: 2, usd: 2 },
      ]),
    ).toEqual([])
    expect(
      rainbow([
        { days: 3, usd: 1 },
        { days: 3, usd: 2 },
        { days: 3, usd: 3 },
      ]),
    ).toEqual([])
  })
})
