import { describe, expect, test } from 'vitest'
import type { ZodType } from 'zod'
import {
  amountField,
  complement,
  halfway,
  jsonListField,
  looseProbability,
  msTimeField,
  nameField,
  optionalDecimal,
  probabilityField,
  slugOf,
  textField,
  venueTime,
} from '../../activities/prediction/venue-fields.ts'

/** What a field makes of each value; undefined: it refuses it. */
const read = (field: ZodType, values: readonly unknown[]) =>
  values.map((value) => field.safeParse(value).data)

test('an instant lies between the years in which a venue can mean one', () => {
  const [first, last] = [Date.UTC(2009, 0, 1), Date.UTC(2200, 0, 1)]
  const text = (ms: number) => new Date(ms).toISOString()
  for (const ms of [first, last]) {
    expect(venueTime(text(ms))).toEqual(new Date(ms))
    expect(msTimeField.parse(ms)).toEqual(new Date(ms))
  }
  for (const ms of [first - 1, last + 1]) {
    expect(venueTime(text(ms))).toBeNull()
    expect(msTimeField.parse(ms)).toBeNull()
  }
  expect(read(msTimeField, [null, undefined, '1'])).toEqual([null, null, undefined])
  expect(venueTime('2026-01-01T00:00:00.123456Z')).toEqual(new Date('2026-01-01T00:00:00.123Z'))
})

describe('texts', () => {
  test('are without NUL and spaces around; a name has some, another text may have none', () => {
    expect(read(nameField, [' a\0b ', '', ' ', '\0', 'x'.repeat(2_000), 'x'.repeat(2_001), null])).toEqual([
      'ab',
      undefined,
      undefined,
      undefined,
      'x'.repeat(2_000),
      undefined,
      undefined,
    ])
    expect(read(textField, [' a\0b ', '', ' ', null, undefined])).toEqual(['ab', null, null, null, null])
    expect(textField.parse('x'.repeat(20_001))).toHaveLength(20_000)
  })

  test('become words joined by dashes', () => {
    expect(slugOf('  Éa, B & c!')).toBe('e-a-b-c')
    expect(slugOf('x'.repeat(101))).toHaveLength(100)
  })
})

describe('figures', () => {
  test('of a probability go from 0 to 1, both included', () => {
    const values = ['0', '1', '0.5', '-0.0001', '1.0001', '']
    expect(read(probabilityField, values)).toEqual(['0', '1', '0.5', undefined, undefined, undefined])
    expect(read(looseProbability, [...values, null, undefined])).toEqual([
      '0',
      '1',
      '0.5',
      null,
      null,
      null,
      null,
      null,
    ])
  })

  test('of an amount are at least zero, and zero where there is none', () => {
    expect(read(amountField, ['2.5', '0', '-1', '', null, undefined, 'x'])).toEqual([
      '2.5',
      '0',
      '0',
      '0',
      '0',
      '0',
      undefined,
    ])
    expect(read(optionalDecimal, ['-1', '0', '', null, undefined])).toEqual(['-1', '0', null, null, null])
  })

  test('are exact for the other outcome and between two prices', () => {
    expect([complement('0.3'), complement('1')]).toEqual(['0.7', '0'])
    expect([halfway('0.1', '0.2'), halfway('0', '1')]).toEqual(['0.15', '0.5'])
  })
})

test('a list comes as JSON in a text, as a list, or not at all', () => {
  expect(read(jsonListField, ['["a",1]', ['a', 1], null, undefined, '', '{"a":1}', '[', 7])).toEqual([
    ['a', '1'],
    ['a', '1'],
    [],
    [],
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
