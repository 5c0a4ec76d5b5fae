import { continueAsNew, workflowInfo } from '@temporalio/workflow'
import type { PnlActivities } from '../../activities/pnl/index.ts'
import { activitiesApart } from '../activities-apart.ts'

const { recomputeDuePnl } = activitiesApart<PnlActivities>('derived', {
  startToCloseTimeout: '1h',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
})

export interface RefreshPnlInput {
  /** most books of one activity */
  limit: number
  /** what the runs before this one did */
  done?: { computed: number; failed: number; afterId: string }
}

/** Recomputes P&L after price changes, midnights and changed portfolios. Failures are due again next run. */
export async function refreshPnl({
  limit,
  done,
}: RefreshPnlInput): Promise<{ computed: number; failed: number }> {
  const counts = { computed: done?.computed ?? 0, failed: done?.failed ?? 0 }
  let afterId = done?.afterId ?? null
  for (;;) {
    const page = await recomputeDuePnl({ afterId, limit })
    counts.computed += page.computed
    counts.failed += page.failed
    afterId = page.nextId
    if (afterId === null) return counts
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof refreshPnl>({ limit, done: { ...counts, afterId } })
  }
}
