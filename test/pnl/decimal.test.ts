import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as d from '../../db/values/decimal.ts'
import cases from './cases/12-number-sizes.json' with { type: 'json' }

const text = (value: d.Decimal) => d.formatDecimal(value)

for (const item of cases.cases.filter((entry) => entry.raw !== undefined)) {
  test(`${item.id}: ${item.raw} base units of ${item.decimals} decimals are exact`, () => {
    const amount = d.fromRaw(BigInt(item.raw!), item.decimals!)
    expect(text(amount)).toBe(item.amount)
    if (item.price) expect(text(d.multiply(amount, d.decimal(item.price)))).toBe(item.value)
  })
}

test('N5: 0.1 + 0.2 - 0.3 is exactly zero', () => {
  const balance = d.subtract(d.add(d.decimal('0.1'), d.decimal('0.2')), d.decimal('0.3'))
  expect(text(balance)).toBe('0')
  expect(d.isZero(balance)).toBe(true)
})

test('N8: the JSON number is the nearest double', () => {
  expect(d.toNumber(d.decimal('5191314600'))).toBe(5191314600)
  expect(d.toNumber(d.decimal('0.1'))).toBe(0.1)
  expect(d.toNumber(d.fromRaw(2n ** 256n - 1n, 18))).toBe(1.157920892373162e59)
})

test('parses texts of numeric columns and JSON, and throws on anything else', () => {
  const readings: [string, string][] = [
    ['-0.00', '0'],
    ['+7', '7'],
    ['1.50', '1.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['4.2e-7', '0.00000042'],
    ['4.2069E+14', '420690000000000'],
    ['-0.000000000000000001', '-0.000000000000000001'],
  ]
  for (const [written, read] of readings) expect(text(d.decimal(written))).toBe(read)
  for (const wrong of [
    '',
    '.',
    'NaN',
    'Infinity',
    '1e9999',
    '1e99999999',
    '0x10',
    '1 ',
    '1,5',
    '--1',
    '1_000',
  ]) {
    expect(() => d.decimal(wrong), wrong).toThrow(RangeError)
  }
})

test('division rounds half away from zero, for both signs', () => {
  const quotient = (a: string, b: string, places: number) =>
    text(d.divide(d.decimal(a), d.decimal(b), places))
  expect(quotient('1', '3', 5)).toBe('0.33333')
  expect(quotient('2', '3', 5)).toBe('0.66667')
  expect(quotient('1', '8', 2)).toBe('0.13')
  expect(quotient('-1', '8', 2)).toBe('-0.13')
  expect(quotient('1', '-8', 2)).toBe('-0.13')
  expect(quotient('12345.678', '1', 0)).toBe('12346')
  expect(() => d.divide(d.decimal('1'), d.ZERO)).toThrow('division by zero')
})

const anyDecimal = fc
  .record({ coefficient: fc.bigInt(-(2n ** 256n), 2n ** 256n), scale: fc.integer({ min: 0, max: 40 }) })
  .map((value): d.Decimal => value)

test('arithmetic obeys the ring laws, and text survives a round trip', () => {
  fc.assert(
    fc.property(anyDecimal, anyDecimal, anyDecimal, (a, b, c) => {
      expect(text(d.decimal(text(a)))).toBe(text(a))
      expect(text(d.add(a, b))).toBe(text(d.add(b, a)))
      expect(text(d.multiply(a, d.add(b, c)))).toBe(text(d.add(d.multiply(a, b), d.multiply(a, c))))
      expect(text(d.subtract(d.add(a, b), b))).toBe(text(a))
      expect(d.compare(a, b)).toBe(d.sign(d.subtract(a, b)))
    }),
  )
})

test('a quotient differs from the exact one by at most half a unit in the last place', () => {
  fc.assert(
    fc.property(
      anyDecimal,
      anyDecimal.filter((b) => b.coefficient !== 0n),
      (a, b) => {
        const rest = d.subtract(a, d.multiply(d.divide(a, b, 30), b))
        const bound = d.multiply(b, { coefficient: 5n, scale: 31 })
        expect(
          rest.coefficient * rest.coefficient === 0n || d.compare(d.absolute(rest), d.absolute(bound)) <= 0,
        ).toBe(true)
      },
    ),
  )
})

test('a quotient as a number is the nearest double', () => {
  const quotient = (a: string, b: string) => d.quotientToNumber(d.decimal(a), d.decimal(b))
  expect(quotient('1', '3')).toBe(1 / 3)
  expect(quotient('-0.3', '0.1')).toBe(-3)
  expect(quotient('0', '7')).toBe(0)
  // Half-way between two doubles rounds to the even one; the smallest remainder rounds up.
  expect(quotient('9007199254740993', '1')).toBe(9007199254740992)
  expect(quotient('9007199254740993.0000000000000000000000000000000000000001', '1')).toBe(9007199254740994)
  expect(quotient('1', '1e-300')).toBe(1e300)
  expect(quotient('1e-300', '1')).toBe(1e-300)
  expect(() => quotient('1', '0')).toThrow('division by zero')
  fc.assert(
    fc.property(
      anyDecimal,
      anyDecimal.filter((b) => b.coefficient !== 0n),
      (a, b) => {
        expect(d.quotientToNumber(a, b)).toBe(d.toNumber(d.divide(a, b, 340)))
      },
    ),
  )
})
