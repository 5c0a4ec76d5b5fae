import type { z } from 'zod'
import { allowsHourly, DAY_MS, INTERVALS, type Range, RANGES, rangeStart } from '../../db/values/periods.ts'
import { invalidParameter } from '../errors.ts'
import { currencyParam, enumParam, instantParam } from '../params.ts'

/** No chain has older transactions, so windows that start earlier give the same periods. */
const FIRST_MS = Date.UTC(2009, 0)

export const plShape = {
  interval: enumParam(INTERVALS, 'Length of the periods; `hourly` only within the latest 24 hours'),
  range: enumParam(RANGES, 'Preset range that ends now. Send this or `from` and `to`').optional(),
  from: instantParam('Inclusive start; needs `to`').optional(),
  to: instantParam('Exclusive end; needs `from`').optional(),
  currency: currencyParam(),
}

interface Window {
  range: Range | null
  /** null: from the first transaction on */
  fromMs: number | null
  toMs: number
}

/** Accepts either `range` or `from` and `to`. Throws 400 with the invalid parameter. */
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

/** Earliest start for cutting the window into periods. */
export const firstCutMs = (fromMs: number | null) => (fromMs === null ? null : Math.max(fromMs, FIRST_MS))
