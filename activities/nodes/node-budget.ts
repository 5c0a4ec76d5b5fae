import { partOfDay, unitsToday } from '../allowance.ts'
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
}

/** Part of a share that may be used before its time. */
const HEAD_START = 1 / 24

/** The units of one node by share. Nodes of one account share its allowance. */
export function createNodeBudget(options: {
  plan: NodePlan
  source: string
  usage: UsageCounts
  now: () => Date
}): NodeBudget {
  const { plan, source, usage, now } = options
  const { account, allowance } = plan

  /** Whether a part of what the share has today is used. */
  function isUsed(work: NodeWork, part: number): boolean {
    if (allowance === null) return false
    const spent = usage.spent({ account, work })
    const own = { ...allowance, units: allowance.units * SHARES[work] }
    if (spent.day >= unitsToday(own, { spent, now: now() }) * part) return true
    // Sources that are no nodes may spend of it too.
    const all = usage.spent({ account })
    return all.day >= unitsToday(allowance, { spent: all, now: now() })
  }

  return {
    count(work, calls) {
      const units = calls.reduce((sum, { method }) => sum + plan.cost(method), 0)
      usage.count({ account, source, work, requests: calls.length, units })
    },
    isSpent: (work) => isUsed(work, 1),
    isOnPace: (work) => !isUsed(work, Math.min(1, partOfDay(now()) + HEAD_START)),
  }
}
