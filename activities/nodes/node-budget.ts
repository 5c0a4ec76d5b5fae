import type { Allowance } from '../allowance.ts'
import { partOfDay, unitsADay, unitsToday } from '../allowance.ts'
import type { UsageCounts } from '../usage-counts.ts'
import type { NodeWork, RpcCall } from './rpc.ts'
import type { NodePlan } from './node-plans.ts'

/** Parts of an allowance, so that back-fills never stop the head. */
export const SHARES: Readonly<Record<NodeWork, number>> = { heads: 0.6, wallets: 0.2, history: 0.2 }

export interface NodeBudget {
  count: (share: NodeWork, calls: readonly RpcCall[]) => void
  isSpent: (share: NodeWork) => boolean
  /** False: the share is used faster than the day passes. */
  isOnPace: (share: NodeWork) => boolean
  /** Units a day that may be planned with, or fewer if the rest of today bears fewer. null: no allowance is known */
  plannable: (share: NodeWork) => number | null
  /** The rest of today bears less than another day would. */
  isShort: (share: NodeWork) => boolean
}

/** Part of a share that is planned with. What no plan foresees, such as audits, took a tenth of it. */
const PLANNED = 0.9

/** Part of a share that may be used before its time. */
const HEAD_START = 1 / 24

/** The units of one node by share. Nodes of one account share its allowance. */
export function createNodeBudget(options: {
  plan: NodePlan
  source: string
  usage: UsageCounts
  /** What an operator allows it instead of its plan. Absent, or nothing: its plan holds. */
  ordered?: () => Allowance | null | undefined
  now: () => Date
}): NodeBudget {
  const { plan, source, usage, ordered, now } = options
  const { account } = plan
  const allowanceNow = () => ordered?.() ?? plan.allowance

  function shareOf(work: NodeWork): Allowance | null {
    const allowance = allowanceNow()
    return allowance && { ...allowance, units: allowance.units * SHARES[work] }
  }

  /** What a part of the share has left today; 0 or less: nothing. */
  function leftToday(work: NodeWork, part = 1): number {
    const allowance = allowanceNow()
    const own = shareOf(work)
    if (!own || !allowance) return Infinity
    const spent = usage.spent({ account, work })
    // Sources that are no nodes may spend of it too.
    const all = usage.spent({ account })
    return Math.min(
      unitsToday(own, { spent, now: now() }) * part - spent.day,
      unitsToday(allowance, { spent: all, now: now() }) - all.day,
    )
  }

  const planned = (work: NodeWork) => {
    const own = shareOf(work)
    return own && Math.floor(unitsADay(own) * PLANNED)
  }

  /** What is left today, as units of a whole day. */
  const restADay = (work: NodeWork) => Math.max(0, Math.floor(leftToday(work) / (1 - partOfDay(now()))))

  return {
    count(work, calls) {
      const units = calls.reduce((sum, { method }) => sum + plan.cost(method), 0)
      usage.count({ account, source, work, requests: calls.length, units })
    },
    isSpent: (work) => leftToday(work) <= 0,
    isOnPace: (work) => leftToday(work, Math.min(1, partOfDay(now()) + HEAD_START)) > 0,
    plannable(work) {
      const units = planned(work)
      return units === null ? null : Math.min(units, restADay(work))
    },
    isShort: (work) => restADay(work) < (planned(work) ?? 0),
  }
}
