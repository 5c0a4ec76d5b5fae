import type { z } from 'zod'
import { allowsHourly, DAY_MS, INTERVALS, type Range, RANGES, rangeStart } from '../../db/values/periods.ts'
import { invalidParameter } from '../errors.ts'
import { currencyParam, enumParam, instantParam } from '../params.ts'

/** Nothing happened on any chain before: windows that begin earlier give the same periods. */
const FIRST_MS = Date.UTC(2009, 0)

export const plShape = {
  interval: enumParam(INTERVALS, '`hourly` only within the latest 24 hours'),
  range: enumParam(RANGES, 'Preset that ends now; or `from` and `to`').optional(),
  from: instantParam('Inclusive start, with `to`').optional(),
  to: instantParam('Exclusive end, with `from`').optional(),
  currency: currencyParam(),
}

interface Window {
  range: Range | null
  /** Null: from the first transaction on. */
  fromMs: number | null
  toMs: number
}

/** Exactly one time mode. Throws 400 with the parameter that breaks it. */
export function plWindow(query: z.output<z.ZodObject<typeof plShape>>, nowMs: number): Window {
  const { interval, range, from, to } = query
  if (range !== undefined) {
    if (from ?? to) throw invalidParameter('range')
    if (interval === 'hourly' && range !== '24h') throw invalidParameter('interval')
    return { range, fromMs: rangeStart(range, nowMs), toMs: nowMs }
  }
  if (!from) throw invalidParameter(to ? 'from' : 'range')
  if (!to) throw invalidParameter('to')
  const [fromMs, toMs] = [from.getTime(), to.getTime()]
  if (fromMs >= toMs) throw invalidParameter('to')
  if (fromMs >= nowMs) throw invalidParameter('from')
  if (interval === 'hourly' && !(toMs - fromMs <= DAY_MS && allowsHourly({ fromMs, toMs, nowMs })))
    throw invalidParameter('interval')
  return { range: null, fromMs, toMs: Math.min(toMs, nowMs) }
}

/** Where cutting the window into periods may begin. */
export const firstCutMs = (fromMs: number | null) => (fromMs === null ? null : Math.max(fromMs, FIRST_MS))
