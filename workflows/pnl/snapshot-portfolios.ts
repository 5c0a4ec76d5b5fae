import { proxyActivities } from '@temporalio/workflow'
import type { PnlActivities } from '../../activities/pnl/index.ts'
import { activitiesApart } from '../activities-apart.ts'

const quick = proxyActivities<PnlActivities>({ startToCloseTimeout: '1m' })
const bulk = activitiesApart<PnlActivities>('derived', {
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
})

/** Writes missing snapshots of portfolios. Failed ones are due again at the next run. */
export async function snapshotPortfolios({
  limit,
}: {
  limit: number
}): Promise<{ written: number; failed: number }> {
  const counts = { written: 0, failed: 0 }
  for (const target of await quick.listDueSnapshots({ limit })) {
    try {
      counts.written += await bulk.writePortfolioSnapshots(target)
    } catch {
      counts.failed++
    }
  }
  return counts
}
