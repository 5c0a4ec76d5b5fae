import { proxyActivities } from '@temporalio/workflow'
import type { PnlActivities } from '../../activities/pnl/index.ts'
import type { PortfoliosActivities } from '../../activities/portfolios/index.ts'
import { activitiesApart } from '../activities-apart.ts'
import { bulkLoad, quickCall } from '../policies.ts'
import { whileChanged } from '../while-changed.ts'

const quick = proxyActivities<PortfoliosActivities>(quickCall)
const derived = activitiesApart<PnlActivities>('derived', bulkLoad)

/**
 * Computes the combined figures of all portfolios of an account after one was added or removed.
 * Its workflow id is `account:{accountId}`, so one runs at a time; a change meanwhile arrives as a signal.
 */
export async function refreshAccount(account: { accountId: string }): Promise<void> {
  await whileChanged(async () => {
    await quick.markAccount(account)
    await derived.refreshAccountPnl(account)
  })
}
