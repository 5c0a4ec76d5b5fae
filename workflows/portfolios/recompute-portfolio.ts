import { proxyActivities } from '@temporalio/workflow'
import type { PnlActivities } from '../../activities/pnl/index.ts'
import type { PortfoliosActivities } from '../../activities/portfolios/index.ts'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { activitiesApart } from '../activities-apart.ts'
import { bulkLoad, quickCall } from '../policies.ts'
import { whileChanged } from '../while-changed.ts'

const quick = proxyActivities<PortfoliosActivities>(quickCall)
const history = activitiesApart<PricesActivities>('history', bulkLoad)
const derived = activitiesApart<PnlActivities>('derived', bulkLoad)

/**
 * Prices the transactions of a manual portfolio and computes its figures from the day of the earliest change.
 * Its workflow id is `portfolio:{portfolioId}`, so one runs at a time; a change meanwhile arrives as a
 * signal.
 */
export async function recomputePortfolio({ portfolioId }: { portfolioId: string }): Promise<void> {
  await whileChanged(async () => {
    const coins = await quick.listManualCoins({ portfolioId })
    if (coins) await history.ensureHourlyPrices(coins)
    if (!(await quick.priceManualTransactions({ portfolioId }))) return
    await derived.recomputeBookPnl({ portfolioId })
  })
}
