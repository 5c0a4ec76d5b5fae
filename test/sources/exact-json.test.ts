import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExactJson } from '../../activities/exact-json.ts'
import {
  dateField,
  decimalField,
  isoField,
  millisecondsField,
  secondsField,
} from '../../activities/fields.ts'
import { retryAfterMs } from '../../activities/retry-after.ts'
import { compare, decimal } from '../../db/values/decimal.ts'

test('returns a number if a double holds it exactly, else its text', () => {
  const text =
    '{"a":77953.82550382407,"b":20030493.0,"c":1e3,"d":115792089237316195423570985008687907853269984665640564039457584007913129639935,"e":0.1000000000000000055511151231257827,"f":1e400,"g":9007199254740993,"h":1e-400,"i":-0}'
  expect(parseExactJson(text)).toEqual({
    a: 77953.82550382407,
    b: 20030493,
    c: 1000,
    d: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    e: '0.1000000000000000055511151231257827',
    f: '1e400',
    g: '9007199254740993',
    h: '1e-400',
    i: -0,
  })
})

test('leaves numbers and quotes in keys alone', () => {
  const key = String.raw`a "9007199254740993" in \ a key`
  expect(parseExactJson(`{${JSON.stringify(key)}:9007199254740993}`)).toEqual({ [key]: '9007199254740993' })
})

test('returns any number in any document as a double if that is exact, else as its text', () => {
  interface Node {
    source: string
    value: unknown
  }
  const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,19})(\.\d{1,19})?([eE][+-]?\d{1,2})?$/)
  const double = fc.double({ min: 1e-25, max: 1e25, noNaN: true }).map(String)
  const text = fc.string({ unit: fc.constantFrom('"', '\\', '1', '23456789012345678', 'e', '[', 'ä') })
  // Without escapes, because V8 can misread these in keys: see parseExactJson.
  const name = fc.string({ unit: fc.constantFrom('1', '23456789012345678', 'e', '[', '{', ':', 'ä') })
  const number = fc.oneof(digits, double).map((source): Node => {
    const value = Number(source)
    return { source, value: compare(decimal(String(value)), decimal(source)) === 0 ? value : source }
  })
  const leaf = fc.oneof(
    number,
    text.map((value): Node => ({ source: JSON.stringify(value), value })),
  )
  const { node } = fc.letrec<{ node: Node }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('node')).map((items) => ({
        source: `[ ${items.map(({ source }) => source).join(' ,')}]`,
        value: items.map(({ value }) => value),
      })),
      fc.uniqueArray(fc.tuple(name, tie('node')), { selector: ([key]) => key }).map((pairs) => ({
        source: `{${pairs.map(([key, { source }]) => `${JSON.stringify(key)}: ${source}`).join(',')} }`,
        value: Object.fromEntries(pairs.map(([key, { value }]) => [key, value])),
      })),
    ),
  }))
  fc.assert(
    fc.property(node, ({ source, value }) => {
      expect(parseExactJson(source)).toEqual(value)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['1.50', '1.5'],
  [77953.82550382407, '77953.82550382407'],
  [1e-9, '0.000000001'],
  ['1e21', '1000000000000000000000'],
])('reads the decimal %s as %s', (value, text) => expect(decimalField.parse(value)).toBe(text))

test.each(['', 'NaN', 'Infinity', '0x10', '1,5', null, {}, '9'.repeat(200)])(
  'rejects %s as a decimal',
  (value) => expect(decimalField.safeParse(value).success).toBe(false),
)

test('rejects times before 2009, after tomorrow, without a zone or in another unit', () => {
  expect(isoField.parse('2025-10-06T18:57:42.558Z')).toEqual(new Date('2025-10-06T18:57:42.558Z'))
  expect(secondsField.parse(1779878351)).toEqual(new Date(1779878351000))
  expect(dateField.parse('2025-01-02')).toEqual(new Date('2025-01-02T00:00:00Z'))
  for (const bad of ['0001-01-01T00:00:00Z', '2025-10-06T18:57:42', '2025-10-06', 'x'])
    expect(isoField.safeParse(bad).success).toBe(false)
  expect(millisecondsField.safeParse(1779878351).success).toBe(false)
  expect(secondsField.safeParse(1779878351000).success).toBe(false)
  expect(dateField.safeParse('2025-02-30').success).toBe(false)
})

test('reads Retry-After as seconds or a date, capped at an hour; null without it', () => {
  const now = Date.UTC(2026, 0, 1)
  expect(retryAfterMs({ 'retry-after': '7' }, now)).toBe(7_000)
  expect(retryAfterMs({ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, now)).toBe(30_000)
  expect(retryAfterMs({ 'retry-after': '999999' }, now)).toBe(3_600_000)
  expect(retryAfterMs({ 'retry-after': 'soon' }, now)).toBeNull()
  expect(retryAfterMs({}, now)).toBeNull()
})
