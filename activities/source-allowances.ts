import { AsyncLocalStorage } from 'node:async_hooks'
import type { SourceSettings } from '../db/sources/settings.ts'
import { DAY_MS } from '../db/values/periods.ts'
import { partOfDay, unitsToday, untilMidnight } from './allowance.ts'
import type { Allowance } from './allowance.ts'
import type { SourceWork } from './area.ts'
import { SourceUnavailable } from './errors.ts'
import type { SourceGate } from './source-gate.ts'
import type { Spent, UsageCounts } from './usage-counts.ts'

/** What the requests of the running activity are for. */
export const sourceWork = new AsyncLocalStorage<SourceWork>()

/**
 * Part of a day's units up to which each work may spend, whatever the others have spent. Somebody who waits may
 * also spend those of the next days.
 */
const UP_TO: Readonly<Record<Exclude<SourceWork, 'waiting'>, number>> = {
  heads: 0.95,
  history: 0.8,
  refresh: 0.7,
}
const ALL: readonly SourceWork[] = ['waiting', 'heads', 'history', 'refresh']

/** What can wait spends no faster than the day passes, so that the units of the evening are not gone by noon. */
const isPaced = (work: SourceWork): boolean => work === 'history' || work === 'refresh'
/** Part of a day by which it may be ahead. */
const HEAD_START = 1 / 24
/** Other workers' restarts and new settings are noticed this late. */
const LONGEST_WAIT_MS = 3_600_000

/** Keeps sources to the allowances of their plans: a request too many throws SourceUnavailable, and is not sent. */
export function keepAllowances(
  gate: SourceGate,
  deps: {
    /** requests by source; a source that is not named has none that is known */
    allowances: ReadonlyMap<string, Allowance>
    usage: UsageCounts
    now: () => Date
  },
): SourceGate {
  const { allowances, usage, now } = deps

  function waitOf(
    allowance: Allowance,
    { source, work }: { source: string; work: SourceWork },
  ): number | null {
    const at = now()
    const spent = sumOf(ALL.map((one) => usage.spent({ account: source, work: one })))
    const today = unitsToday(allowance, { spent, now: at })
    if (work === 'waiting') {
      const before = allowance.per === 'month' ? spent.month - spent.day : 0
      return spent.day < allowance.units - before ? null : untilMidnight(at)
    }
    const most = today * UP_TO[work]
    if (spent.day >= most) return untilMidnight(at)
    const needed = isPaced(work) ? spent.day / most - HEAD_START : 0
    return needed <= partOfDay(at) ? null : (needed - partOfDay(at)) * DAY_MS
  }

  return {
    ...gate,
    async admit(source) {
      const allowance = allowances.get(source)
      if (!allowance) return await gate.admit(source)
      // Outside of an activity an operator waits.
      const work = sourceWork.getStore() ?? 'waiting'
      await usage.ready()
      const waitMs = waitOf(allowance, { source, work })
      if (waitMs !== null) {
        const reason = `its ${allowance.units} requests a ${allowance.per} leave none for ${work} now`
        throw new SourceUnavailable(source, reason, Math.min(LONGEST_WAIT_MS, Math.ceil(waitMs)))
      }
      // Counted before the turn, so that those who wait for theirs are not too many.
      const one = { account: source, source, work, requests: 1, units: 1 }
      usage.count(one)
      try {
        await gate.admit(source)
      } catch (error) {
        usage.count({ ...one, requests: -1, units: -1 })
        throw error
      }
    },
  }
}

const sumOf = (all: readonly Spent[]): Spent => ({
  day: all.reduce((sum, { day }) => sum + day, 0),
  month: all.reduce((sum, { month }) => sum + month, 0),
})

/** The allowances of the sources that are on, as far as they are known. */
export function sourceAllowances(sources: readonly SourceSettings[]): ReadonlyMap<string, Allowance> {
  return new Map(
    sources.flatMap(({ name, missing, quota }) =>
      missing === null && quota !== null ? [[name, { units: quota.requests, per: quota.per }]] : [],
    ),
  )
}
