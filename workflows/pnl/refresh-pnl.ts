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
  /** books and accounts done at the same time */
  parallel: number
}

/** Computes the P&L that changed prices, a new midnight or other portfolios have left behind. What fails is due again at the next run. */
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
