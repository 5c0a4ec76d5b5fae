import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { servePath } from '../../parts/serve-path.ts'
import { PAGES, type PortfolioVisit } from './asked.ts'
import { explainCoinPage } from './explain-coin-page.ts'
import { explainPeriodPage } from './explain-period-page.ts'
import { positionsPage } from './positions-page.ts'
import { reportPage } from './report-page.ts'
import { overviewPage } from './overview-page.ts'
import { transactionsPage } from './transactions-page.ts'

/** Serves the pages about portfolios below a base. `visits` finds whose they are. */
export function addPortfolioPages(
  app: FastifyInstance,
  options: {
    base: string
    visits: (show: (visit: PortfolioVisit) => Promise<void>) => RouteHandlerMethod
    db: ReadonlyDb
    now: () => Date
  },
): void {
  const { base, visits } = options
  const pages = {
    overview: overviewPage(options),
    transactions: transactionsPage(options),
    period: explainPeriodPage(options),
    coin: explainCoinPage(options),
    positions: positionsPage(options),
    report: reportPage(options),
  }
  for (const name of ['overview', 'transactions', 'period', 'coin', 'positions', 'report'] as const)
    servePath(app, `${base}${PAGES[name]}`, { GET: visits(pages[name]) })
}
