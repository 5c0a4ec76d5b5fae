import type { PnlActivities } from '../../activities/pnl/index.ts'
import type { PortfoliosActivities } from '../../activities/portfolios/index.ts'
import { activitiesApart } from '../activities-apart.ts'
import { bulkLoad } from '../policies.ts'

const bulk = activitiesApart<PortfoliosActivities & PnlActivities>('derived', bulkLoad)

/** Deletes the rows of a portfolio that its owner removed. Its workflow id is `remove:{portfolioId}`. */
export async function removePortfolio(input: { portfolioId: string; accountId: string }): Promise<void> {
  await bulk.removePortfolioRows(input)
  await bulk.refreshAccountPnl({ accountId: input.accountId })
}
