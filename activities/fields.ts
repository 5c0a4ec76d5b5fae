import { z } from 'zod'
import { compare, decimal, formatDecimal } from '../db/values/decimal.ts'

/** Fields as sources send them, read at the edge. Numbers arrive as parseExactJson leaves them. */

const LONGEST_DECIMAL = 120
const HUNDRED = decimal('100')

/** A finite decimal of any size, as canonical text. */
export const decimalField = z
  .union([z.number(), z.string().max(LONGEST_DECIMAL)])
  .transform((value, context) => {
    try {
      return formatDecimal(decimal(String(value)))
    } catch {
      context.addIssue({ code: 'custom', message: `not a decimal: ${String(value).slice(0, 40)}` })
      return z.NEVER
    }
  })

export const positiveField = decimalField.refine((value) => !/^(-|0$)/.test(value), 'is not above zero')

/** A part of a whole, in percent. */
export const shareField = positiveField.refine(
  (percent) => compare(decimal(percent), HUNDRED) <= 0,
  'is above 100 %',
)

const EARLIEST_MS = Date.UTC(2009, 0, 1)
const SLACK_MS = 86_400_000

/**
 * Text or number to an instant between 2009 and one day from now. This rejects year-0001 placeholders and
 * seconds read as ms.
 */
function instantField(toMs: (value: string | number) => number) {
  return z.union([z.number(), z.string()]).transform((value, context) => {
    const ms = toMs(value)
    if (ms >= EARLIEST_MS && ms <= Date.now() + SLACK_MS) return new Date(ms)
    context.addIssue({ code: 'custom', message: `not a plausible time: ${String(value).slice(0, 40)}` })
    return z.NEVER
  })
}

const WITH_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/

export const isoField = instantField((value) =>
  WITH_ZONE.test(String(value)) ? Date.parse(String(value)) : NaN,
)
export const secondsField = instantField((value) => Number(value) * 1000)
export const millisecondsField = instantField((value) => Number(value))

/** A calendar date as UTC midnight. */
export const dateField = instantField((value) => {
  const ms = /^\d{4}-\d\d-\d\d$/.test(String(value)) ? Date.parse(`${value}T00:00:00Z`) : NaN
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== value ? NaN : ms
})
