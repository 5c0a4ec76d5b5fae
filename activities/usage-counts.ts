import type { SpentUnits, Usage } from '../db/sources/usage.ts'

export type Spending = Omit<Usage, 'day'>

/** Units that were spent on a UTC day, and in its calendar month. */
export type Spent = Pick<SpentUnits, 'day' | 'month'>

/** What is spent of the allowances of sources. */
export interface UsageCounts {
  /** Resolves when it is known what was spent before. */
  ready: () => Promise<void>
  count: (spending: Spending) => void
  /** Today and in this month. Without `work`: for all of it. */
  spent: (of: { account: string; work?: string }) => Spent
}

type Stored = Spent & { asOf: string }

/** Counts in memory: what all workers have stored, and what this one has not stored yet. */
export interface UnstoredCounts extends UsageCounts {
  unstored: () => readonly Usage[]
  noteStored: (usage: readonly Usage[]) => void
  /** Replaces what all workers have stored by what was read. */
  noteRead: (read: { day: string; spent: readonly SpentUnits[] }) => void
}

export function createUsageCounts(now: () => Date): UnstoredCounts {
  /** By account and work. */
  let known = new Map<string, Map<string, Stored>>()
  const added = new Map<string, Usage>()

  function keep({ account, work }: Pick<Usage, 'account' | 'work'>, stored: Stored): void {
    const ofAccount = known.get(account) ?? new Map<string, Stored>()
    known.set(account, ofAccount.set(work, stored))
  }

  function add(usage: Usage): void {
    const key = JSON.stringify([usage.account, usage.source, usage.work, usage.day])
    const before = added.get(key) ?? { requests: 0, units: 0 }
    const requests = before.requests + usage.requests
    if (requests === 0) added.delete(key)
    else added.set(key, { ...usage, requests, units: before.units + usage.units })
  }

  return {
    ready: async () => {},
    count: (spending) => add({ ...spending, day: dayOf(now()) }),
    spent({ account, work }) {
      const today = dayOf(now())
      const sum = { day: 0, month: 0 }
      const isAsked = (one: string) => work === undefined || one === work
      for (const [one, stored] of known.get(account) ?? []) {
        if (!isAsked(one)) continue
        const { day, month } = asOfToday(stored, today)
        sum.day += day
        sum.month += month
      }
      for (const one of added.values()) {
        if (one.account !== account || !isAsked(one.work)) continue
        if (one.day === today) sum.day += one.units
        if (isSameMonth(one.day, today)) sum.month += one.units
      }
      return sum
    },
    unstored: () => [...added.values()],
    noteStored(usage) {
      const today = dayOf(now())
      for (const one of usage) {
        add({ ...one, requests: -one.requests, units: -one.units })
        const { day, month } = asOfToday(known.get(one.account)?.get(one.work), today)
        keep(one, {
          asOf: today,
          day: day + (one.day === today ? one.units : 0),
          month: month + (isSameMonth(one.day, today) ? one.units : 0),
        })
      }
    },
    noteRead({ day: asOf, spent }) {
      known = new Map()
      for (const { day, month, ...of } of spent) keep(of, { day, month, asOf })
    },
  }
}

/** Stored units as of today: those of an earlier day count for the month alone, if it is the same. */
function asOfToday(stored: Stored | undefined, today: string): Spent {
  if (!stored) return { day: 0, month: 0 }
  const { day, month, asOf } = stored
  return { day: asOf === today ? day : 0, month: isSameMonth(asOf, today) ? month : 0 }
}

/** Start of the UTC day. */
export const dayOf = (at: Date): string => `${at.toISOString().slice(0, 10)}T00:00:00Z`

const isSameMonth = (a: string, b: string): boolean => a.slice(0, 7) === b.slice(0, 7)
