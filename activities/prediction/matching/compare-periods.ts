import { addDays, type Period } from './read-periods.ts'
import type { Terms } from './read-terms.ts'

/** Doubt that the dates of two markets add, 0 to 1; null: the dates do not fit. */
export function comparePeriods(a: Terms, b: Terms): number | null {
  if (a.period && b.period) return compareNamed(a.period, b.period, a.path !== null || b.path !== null)
  if (a.period || b.period) {
    const [named, other] = a.period ? [a.period, b] : [b.period!, a]
    if (other.periods.length > 0) return other.periods.some((period) => fits(named, period)) ? 0.02 : null
    return endsWithin(named, other.endsAt) ? 0.05 : null
  }
  const [days, otherDays] = [a, b].map(({ periods }) =>
    periods.filter(({ precision }) => precision === 'day'),
  )
  if (days!.length > 0 && otherDays!.length > 0)
    return days!.some(({ to }) => otherDays!.some((other) => other.to === to)) ? 0.02 : null
  if (a.periods.length > 0 && b.periods.length > 0)
    return a.periods.some((period) => b.periods.some((other) => fits(period, other))) ? 0.02 : null
  if (!a.endsAt || !b.endsAt) return a.endsAt === b.endsAt ? 0.05 : 0.12
  return Math.abs(a.endsAt.getTime() - b.endsAt.getTime()) <= 45 * 86_400_000 ? 0.06 : null
}

/** For periods named by question or label of both. `priced`: a figure is checked in it or at its end. */
function compareNamed(a: Period, b: Period, priced: boolean): number | null {
  if (a.kind === b.kind) {
    if (a.to === b.to && (a.from === b.from || a.kind === 'by')) return 0
    return a.kind === 'in' && !priced && fits(a, b) && (isLong(a) || isLong(b)) ? 0.03 : null
  }
  const [by, other] = a.kind === 'by' ? [a, b] : [b, a]
  if (by.kind === 'by')
    return other.kind === 'in' && other.precision === 'year' && by.to === other.to ? 0 : null
  return !priced && fits(a, b) ? 0.03 : null
}

const isLong = ({ precision }: Period): boolean => precision === 'year' || precision === 'season'

/** Whether two periods may mean the same: same end, or they overlap and one is longer than a day. */
function fits(a: Period, b: Period): boolean {
  if (a.to === b.to) return true
  if (a.precision === 'day' && b.precision === 'day')
    // "by the 1st" and "before the 1st" often mean the same deadline.
    return (a.kind === 'by' || b.kind === 'by') && (addDays(a.to, 1) === b.to || addDays(b.to, 1) === a.to)
  return (a.from ?? a.to) <= b.to && (b.from ?? b.to) <= a.to
}

/** A venue keeps a market open some days past its period, and past a season for weeks. */
function endsWithin(period: Period, endsAt: Date | null): boolean {
  if (!endsAt) return false
  const days = (endsAt.getTime() - Date.parse(period.to)) / 86_400_000
  if (isLong(period)) return days >= -370 && days <= 60
  return (
    days >= -31 && days <= (period.precision === 'day' ? 3 : 45) && (period.precision !== 'day' || days >= -1)
  )
}
