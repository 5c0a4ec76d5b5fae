import type { JsonSchema } from '../../api/json-schema.ts'
import { networkNamed } from '../../db/values/networks.ts'

/** A valid value for a parameter. */
export function wellSpelled(schema: JsonSchema): string {
  const { type, minimum, maximum, anyOf, items, pattern } = schema
  const values = schema['enum'] as string[] | undefined
  if (values) return values[0]!
  if (type === 'array') return wellSpelled(items as JsonSchema)
  if (type === 'number') return '1.5'
  if (type === 'integer') return String(Math.min(Math.max(Number(minimum), 1), Number(maximum)))
  if (anyOf) return '2026-03-01'
  if (typeof pattern !== 'string') return 'abc'
  const fits = SAMPLES.find((sample) => new RegExp(pattern).test(sample))
  if (fits === undefined) throw new Error(`no sample fits ${pattern}`)
  return fits
}

const ADDRESS = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const SAMPLES = [
  '7',
  '2026-03-01',
  'bitcoin',
  'USD',
  ADDRESS,
  `ethereum:${ADDRESS}`,
  'ab'.repeat(32),
  `0x${'ab'.repeat(32)}`,
  'a'.repeat(30),
  '123456',
  '2026-03',
  '/coins',
]

/** Percent-encoded values that a parameter must refuse. */
export function badSpellings(schema: JsonSchema): string[] {
  const { type, anyOf, items, pattern } = schema
  const values = schema['enum'] as string[] | undefined
  if (values) return badChoices(values)
  if (type === 'array') {
    const good = encodeURIComponent(wellSpelled(items as JsonSchema))
    const list = ['', ',', `${good},`, `,${good}`, `${good},,${good}`]
    const inner = badSpellings(items as JsonSchema).filter((text) => !text.includes('%2C'))
    return [...list, ...inner, ...inner.map((bad) => `${good},${bad}`)]
  }
  if (type === 'number')
    return [...UNICODE, '', 'NaN', 'Infinity', '1e3', '0x10', '1,5', '%201', '%2B1', '.5', '5.', '--1']
  if (type === 'integer') return [...badIntegers(schema), ...UNICODE]
  if (anyOf || schema['format'] === 'date') return [...BAD_INSTANTS, ...UNICODE]
  if (pattern !== undefined) return [...UNICODE, ...BAD_NAMES, '9'.repeat(300)]
  return [...CONTROLS, '', 'x'.repeat(Number(schema['maxLength']) + 1)]
}

/** NUL, overlong form, lone surrogate, truncated sequence, and invalid percent-encoding. */
const BROKEN = ['%00', '%C0%AF', '%ED%A0%80', '%F0%9F', '%zz', '%']
/** Line breaks and invisible characters: escape, zero-width space, byte order mark, right-to-left mark. */
const CONTROLS = [...BROKEN, 'a%0D%0Ab', '%1B', 'a%E2%80%8Bb', '%EF%BB%BFa', '%E2%80%8Fa']
const UNICODE = [...CONTROLS, '%F0%9F%9A%80', '%EF%BC%95', '%D0%B5']
const BAD_NAMES = [
  '',
  '%20',
  '%20a',
  'a%20',
  '__proto__',
  '..',
  '..%2F..',
  '%27%20or%201%3D1%20--',
  '-a',
  '%3Cb%3E',
]

function badChoices(values: readonly string[]): string[] {
  const [first] = values as [string]
  // Networks are accepted in any case.
  const others = [first.toUpperCase(), `${first}x`].filter(
    (text) => !values.includes(text) && text !== first && !networkNamed(text),
  )
  return [
    ...UNICODE,
    ...others,
    '',
    `%20${first}`,
    `${first}%20`,
    `${first}%2C${first}`,
    '__proto__',
    'constructor',
    'yes',
  ]
}

function badIntegers({ minimum, maximum }: JsonSchema): string[] {
  const outside = [String(Number(minimum) - 1), String(Number(maximum) + 1)]
  const spelled = ['', 'NaN', 'Infinity', '1.5', '1e2', '0x10', '%205', '5%20', '%2B5', '-1', 'five', '5,6']
  const huge = ['9007199254740993', '9223372036854775808', '1e30', '9'.repeat(400)]
  return [...outside, ...spelled, ...huge]
}

const BAD_INSTANTS = [
  '',
  'now',
  '2026-02-30',
  '2025-02-29',
  '2026-1-5',
  '2026-13-01',
  '2026-01-00',
  '20260101',
  '1767225600',
  '2026-01-01T00:00:00',
  '2026-01-01T24:00:01Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T00:00:00%2B25:00',
  '275760-09-13',
  '%2B275760-09-13T00:00:00Z',
  '2026-01-01%2000:00:00',
  '2026-01-01,2026-01-02',
]
