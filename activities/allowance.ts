import { DAY_MS } from '../db/values/periods.ts'
import type { Spent } from './usage-counts.ts'

/** Units that the plan of a source allows per UTC day or calendar month. */
export interface Allowance {
  units: number
  per: 'day' | 'month'
}

/** Units of an even day. */
export const unitsADay = ({ units, per }: Allowance): number =>
  per === 'day' ? units : Math.floor(units / 31)

/** Units that may be spent today. What is left of a month is spread over its remaining days, so none goes dark. */
export function unitsToday({ units, per }: Allowance, { spent, now }: { spent: Spent; now: Date }): number {
  if (per === 'day') return units
  const before = spent.month - spent.day
  return Math.max(0, units - before) / daysLeft(now)
}

/** Days of the month, today included. */
function daysLeft(now: Date): number {
  const days = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate()
  return days - now.getUTCDate() + 1
}

/** How much of the UTC day has passed, 0 to 1. */
export const partOfDay = (now: Date): number => (now.getTime() % DAY_MS) / DAY_MS

/** Milliseconds until the allowances of the next day. */
export const untilMidnight = (now: Date): number => DAY_MS - (now.getTime() % DAY_MS)
