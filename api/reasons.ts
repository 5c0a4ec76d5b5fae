import { z } from 'zod'
import { byDistance } from '../ops/settings/nearest.ts'

/** Allowed values that one message lists. */
const LISTED = 10
/** Characters of a client's text that are compared or repeated. */
export const MOST_CHARACTERS = 64

export const NOT_AFTER_FROM = 'It must be after `from`'
export const IN_FUTURE = 'It must not be in the future'

/** Says which values are allowed; of many, those closest to the given one. */
export function oneOf(values: readonly string[], given: unknown): string {
  if (values.length === 1) return `It must be ${values[0]}`
  if (values.length <= LISTED) return `It must be one of: ${values.join(', ')}`
  const text = typeof given === 'string' ? given.slice(0, MOST_CHARACTERS) : ''
  const close = byDistance(text, values).toSorted(
    (one, other) => Number(other.startsWith(text)) - Number(one.startsWith(text)),
  )
  return `It must be one of ${values.length} values, for example: ${close.slice(0, LISTED).join(', ')}`
}

/** A name that a client made up, as a message or header can carry it. */
export const shownName = (name: string): string =>
  encodeURIComponent(name.slice(0, MOST_CHARACTERS).toWellFormed()) || '""'

const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Says in a sentence why a schema refuses a value, where the schema itself does not say it. */
export function reasonOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'It is required'
  switch (issue.code) {
    case 'invalid_type':
      return `It must be ${TYPES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return oneOf(issue.values.map(String), issue.input)
    case 'unrecognized_keys': {
      const unknown = `It has an unknown field: ${shownName(issue.keys[0]!)}`
      if (!(issue.inst instanceof z.ZodObject)) return unknown
      return `${unknown}. Known fields: ${Object.keys(issue.inst.shape).slice(0, LISTED).join(', ')}`
    }
    case 'too_big':
      return `It must ${issue.origin === 'array' ? 'have' : 'be'} at most ${sizeOf(issue.maximum, issue.origin)}`
    case 'too_small':
      return `It must ${issue.origin === 'array' ? 'have' : 'be'} at least ${sizeOf(issue.minimum, issue.origin)}`
    default:
      return 'It is invalid'
  }
}

const sizeOf = (size: number | bigint, origin: string): string =>
  `${size}${origin === 'array' ? ' items' : origin === 'string' ? ' characters long' : ''}`
