import { proxyActivities } from '@temporalio/workflow'
import type { PnlActivities } from '../../activities/pnl/index.ts'

const quick = proxyActivities<PnlActivities>({ startToCloseTimeout: '1m' })
const bulk = proxyActivities<PnlActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
})

export interface RefreshPnlInput {
  limit: number
  /** books and accounts computed at the same time */
  parallel: number
}

/** Recomputes P&L after price changes, midnights and changed portfolios. Failures are due again next run. */
export async function refreshPnl({
  limit,
  parallel,
}: RefreshPnlInput): Promise<{ computed: number; failed: number }> {
  const due = await quick.listDuePnl({ limit })
  const counts = { computed: 0, failed: 0 }
  const work = async (): Promise<void> => {
    for (let next = due.shift(); next; next = due.shift()) {
      try {
        if ('accountId' in next) await bulk.refreshAccountPnl(next)
        else await bulk.recomputeBookPnl(next)
        counts.computed++
      } catch {
        counts.failed++
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return counts
}
