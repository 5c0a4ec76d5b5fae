import type { z } from 'zod'
import { allowsHourly, DAY_MS, INTERVALS, type Range, RANGES, rangeStart } from '../../db/values/periods.ts'
import { invalidParameter } from '../errors.ts'
import { currencyParam, enumParam, instantParam } from '../params.ts'
import { IN_FUTURE, NOT_AFTER_FROM } from '../reasons.ts'

/** No chain has older transactions, so windows that start earlier give the same periods. */
const FIRST_MS = Date.UTC(2009, 0)
const HOURLY = 'It can be hourly only within the latest 24 hours'

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
    if (from ?? to) throw invalidParameter('range', 'It must be sent without `from` and `to`')
    if (interval === 'hourly' && range !== '24h') throw invalidParameter('interval', HOURLY)
    return { range, fromMs: rangeStart(range, nowMs), toMs: nowMs }
  }
  if (!from && !to) throw invalidParameter('range', 'Either it, or `from` and `to`, is required')
  if (!from) throw invalidParameter('from', 'It is required with `to`')
  if (!to) throw invalidParameter('to', 'It is required with `from`')
  const [fromMs, toMs] = [from.getTime(), to.getTime()]
  if (fromMs >= toMs) throw invalidParameter('to', NOT_AFTER_FROM)
  if (fromMs >= nowMs) throw invalidParameter('from', IN_FUTURE)
  if (interval === 'hourly' && !(toMs - fromMs <= DAY_MS && allowsHourly({ fromMs, toMs, nowMs })))
    throw invalidParameter('interval', HOURLY)
  return { range: null, fromMs, toMs: Math.min(toMs, nowMs) }
}

/** Earliest start for cutting the window into periods. */
export const firstCutMs = (fromMs: number | null) => (fromMs === null ? null : Math.max(fromMs, FIRST_MS))
