import { z } from 'zod'
import { add, compare, decimal, formatDecimal, multiply, subtract } from '../../db/values/decimal.ts'
import { decimalField } from '../fields.ts'

/** Schemas for fields of the prediction venues. */

const EARLIEST_MS = Date.UTC(2009, 0, 1)
const LATEST_MS = Date.UTC(2200, 0, 1)

/**
 * An instant that may lie in the future: ISO 8601, with a space for the T, with `+00` for the zone, or a bare date
 * (UTC midnight). Null when missing or malformed, and for the year-0001 placeholder of an unknown time.
 */
export function venueTime(value: unknown): Date | null {
  if (typeof value !== 'string') return null
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(value)
  if (!match) return null
  const [, date, time = '00:00:00', fraction = '', zone = 'Z'] = match
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const ms = Date.parse(`${date}T${time}${fraction.slice(0, 4)}${offset}`)
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? new Date(ms) : null
}

export const timeField = z.unknown().optional().transform(venueTime)

/** Milliseconds since 1970, also of the future. Null when missing, and beyond what a venue can mean. */
export const msTimeField = z
  .number()
  .nullish()
  .transform((ms) => (ms != null && ms >= EARLIEST_MS && ms <= LATEST_MS ? new Date(ms) : null))

/** Postgres does not accept NUL in text. */
const clean = (text: string): string => text.replaceAll('\0', '').trim()

export const nameField = z
  .string()
  .transform(clean)
  .refine((text) => text !== '' && text.length <= 2_000)

/** Text that may be missing; null when it is empty. */
export const textField = z
  .string()
  .nullish()
  .transform((text) => clean(text ?? '').slice(0, 20_000) || null)

const isProbability = (text: string): boolean =>
  compare(decimal(text), decimal('0')) >= 0 && compare(decimal(text), decimal('1')) <= 0

export const probabilityField = decimalField.refine(isProbability, 'not between 0 and 1')

/** Null when missing, empty or not a probability. */
export const looseProbability = z
  .unknown()
  .optional()
  .transform((value): string | null => {
    const parsed = value === '' ? null : probabilityField.safeParse(value)
    return parsed?.success ? parsed.data : null
  })

/** Zero when missing, empty or negative. */
export const amountField = z
  .union([z.literal('').transform(() => '0'), decimalField, z.null().transform(() => '0')])
  .default('0')
  .transform((value) => (value.startsWith('-') ? '0' : value))

export const optionalDecimal = z
  .union([decimalField, z.literal(''), z.null()])
  .optional()
  .transform((value) => value || null)

/** An array that is sent as JSON in a string, as an array, or not at all. */
export const jsonListField = z
  .unknown()
  .optional()
  .transform((value, context): string[] => {
    try {
      const list: unknown = typeof value === 'string' ? JSON.parse(value) : (value ?? [])
      if (Array.isArray(list)) return list.map(String)
    } catch {
      // Reported below.
    }
    context.addIssue({ code: 'custom', message: 'no list' })
    return z.NEVER
  })

/** Lower case, words joined by dashes. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100)

const ONE = decimal('1')
const HALF = decimal('0.5')

/** Price of the other of two outcomes. */
export const complement = (price: string): string => formatDecimal(subtract(ONE, decimal(price)))

export const halfway = (low: string, high: string): string =>
  formatDecimal(multiply(add(decimal(low), decimal(high)), HALF))
