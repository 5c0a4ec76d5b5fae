import { AsyncLocalStorage } from 'node:async_hooks'
import type { SourceSettings } from '../db/sources/settings.ts'
import { DAY_MS } from '../db/values/periods.ts'
import { partOfDay, unitsToday, untilMidnight } from './allowance.ts'
import type { Allowance } from './allowance.ts'
import type { SourceWork } from './area.ts'
import { SourceUnavailable } from './errors.ts'
import type { SourceGate } from './source-gate.ts'
import type { SourceOrders } from './source-orders.ts'
import type { UsageCounts } from './usage-counts.ts'

/** Units of an allowance, and whose it is. */
export interface SourceAllowance extends Allowance {
  account: string
  /** what the vendor counts */
  unit: string
}

/** What the requests of the running activity are for. */
export const sourceWork = new AsyncLocalStorage<SourceWork>()

/**
 * Part of a day's units up to which each work may spend, whatever the others have spent. Somebody who waits may
 * also spend those of the next days.
 */
export const UP_TO: Readonly<Record<Exclude<SourceWork, 'waiting'>, number>> = {
  heads: 0.95,
  history: 0.8,
  refresh: 0.7,
}

/**
 * Part of its units that each work may spend as the day begins; the rest comes evenly until the day ends. Where a
 * day has too few units, what is current gets old evenly, instead of being fresh until noon and dark until midnight.
 */
const HEAD_STARTS: typeof UP_TO = { heads: 1 / 4, history: 1 / 24, refresh: 1 / 24 }
/** Other workers' restarts and new settings are noticed this late. */
const LONGEST_WAIT_MS = 3_600_000

/** Keeps sources to the allowances of their plans: a request too many throws SourceUnavailable, and is not sent. */
export function keepAllowances(
  gate: SourceGate,
  deps: {
    /** by source; a source that is not named has none that is known */
    allowances: ReadonlyMap<string, SourceAllowance>
    /** What operators ordered. Absent: nothing. */
    orders?: SourceOrders
    /** Units of a request. Absent: each is one. */
    unitsOf?: (source: string, url: string) => number
    usage: UsageCounts
    now: () => Date
  },
): SourceGate {
  const { allowances, orders, unitsOf = () => 1, usage, now } = deps

  /** An ordered allowance counts in the unit of the plan, else in requests. */
  function allowanceOf(source: string): SourceAllowance | undefined {
    const planned = allowances.get(source)
    const quota = orders?.of(source)?.quota
    return quota ? { account: source, unit: 'requests', ...planned, ...quota } : planned
  }

  function waitOf(
    allowance: SourceAllowance,
    { units, work }: { units: number; work: SourceWork },
  ): number | null {
    const at = now()
    const spent = usage.spent({ account: allowance.account })
    const today = unitsToday(allowance, { spent, now: at })
    if (work === 'waiting') {
      const before = allowance.per === 'month' ? spent.month - spent.day : 0
      return spent.day + units <= allowance.units - before ? null : untilMidnight(at)
    }
    const most = today * UP_TO[work]
    if (spent.day >= most) return untilMidnight(at)
    const ahead = HEAD_STARTS[work]
    const neededPart = (spent.day / most - ahead) / (1 - ahead)
    return neededPart <= partOfDay(at) ? null : (neededPart - partOfDay(at)) * DAY_MS
  }

  return {
    ...gate,
    async admit(source, url = '') {
      await orders?.ready()
      const allowance = allowanceOf(source)
      if (!allowance) return await gate.admit(source, url)
      const units = unitsOf(source, url)
      // Outside of an activity an operator waits.
      const work = sourceWork.getStore() ?? 'waiting'
      await usage.ready()
      const waitMs = waitOf(allowance, { units, work })
      if (waitMs !== null) {
        const reason = `its ${allowance.units} ${allowance.unit} a ${allowance.per} leave none for ${work} now`
        throw new SourceUnavailable(source, reason, Math.min(LONGEST_WAIT_MS, Math.ceil(waitMs)))
      }
      // Counted before the turn, so that those who wait for theirs are not too many.
      const one = { account: allowance.account, source, work, requests: 1, units }
      usage.count(one)
      try {
        await gate.admit(source, url)
      } catch (error) {
        usage.count({ ...one, requests: -1, units: -units })
        throw error
      }
    },
  }
}

/** Settings as operators have changed them. */
export const asOrdered = (sources: readonly SourceSettings[], orders: SourceOrders): SourceSettings[] =>
  sources.map((source) => {
    const { requestsPerSecond = null, burst = null, quota = null } = orders.of(source.name) ?? {}
    return {
      ...source,
      requestsPerSecond: requestsPerSecond ?? source.requestsPerSecond,
      burst: burst ?? source.burst,
      quota: quota ? { unit: 'requests', ...source.quota, ...quota } : source.quota,
    }
  })

/** The allowances of the sources that are on, as far as they are known. */
export function sourceAllowances(sources: readonly SourceSettings[]): ReadonlyMap<string, SourceAllowance> {
  return new Map(
    sources.flatMap(({ name, missing, quota, account }) =>
      missing === null && quota !== null ? [[name, { ...quota, account: account ?? name }]] : [],
    ),
  )
}
