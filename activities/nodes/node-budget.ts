import type { NodeWork, RpcCall } from './rpc.ts'
import type { NodePlan } from './node-plans.ts'

/** Parts of a day's allowance, so that back-fills never stop the head. */
export const SHARES: Readonly<Record<NodeWork, number>> = { heads: 0.6, wallets: 0.2, history: 0.2 }

export interface NodeBudget {
  count: (share: NodeWork, calls: readonly RpcCall[]) => void
  isSpent: (share: NodeWork) => boolean
  /** False: the share is used faster than the day passes. */
  isOnPace: (share: NodeWork) => boolean
  spent: () => Readonly<Record<NodeWork, number>>
}

const DAY_MS = 86_400_000
/** Part of a share that may be used before its time. */
const HEAD_START = 1 / 24

/** Counts the units of one node by share. Days begin at 00:00 UTC. */
function createNodeBudget({ plan, now }: { plan: NodePlan; now: () => Date }): NodeBudget {
  let day = -1
  let units: Record<NodeWork, number> = { heads: 0, wallets: 0, history: 0 }

  function today(): Record<NodeWork, number> {
    const current = Math.floor(now().getTime() / DAY_MS)
    if (current !== day) {
      day = current
      units = { heads: 0, wallets: 0, history: 0 }
    }
    return units
  }

  return {
    count(share, calls) {
      today()[share] += calls.reduce((sum, { method }) => sum + plan.cost(method), 0)
    },
    isSpent: (share) => plan.dayUnits !== null && today()[share] >= plan.dayUnits * SHARES[share],
    isOnPace(share) {
      if (plan.dayUnits === null) return true
      const passed = Math.min(1, (now().getTime() % DAY_MS) / DAY_MS + HEAD_START)
      return today()[share] < plan.dayUnits * SHARES[share] * passed
    },
    spent: () => ({ ...today() }),
  }
}

/** The budget of a plan. Nodes of one account share one. */
export type BudgetOf = (plan: NodePlan) => NodeBudget

/** Budgets by account, each made when it is first asked for. */
export function createNodeBudgets(now: () => Date): BudgetOf {
  const budgets = new Map<string, NodeBudget>()
  return (plan) => {
    const budget = budgets.get(plan.account) ?? createNodeBudget({ plan, now })
    budgets.set(plan.account, budget)
    return budget
  }
}

/** Milliseconds until the allowances of the next day. */
export function untilMidnight(now: Date): number {
  return DAY_MS - (now.getTime() % DAY_MS)
}
