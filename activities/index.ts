import { createChainActivities } from './chain/index.ts'
import { createDefiActivities } from './defi/index.ts'
import type { ActivityDeps } from './deps.ts'
import { createExchangesActivities } from './exchanges/index.ts'
import { createExportActivities } from './export/index.ts'
import { createInsightsActivities } from './insights/index.ts'
import { createNewsActivities } from './news/index.ts'
import { createNftActivities } from './nft/index.ts'
import { createPnlActivities } from './pnl/index.ts'
import { createPortfoliosActivities } from './portfolios/index.ts'
import { createPredictionActivities } from './prediction/index.ts'
import { createPricesActivities } from './prices/index.ts'
import { createRetryActivities } from './retry-quarantined.ts'
import { createRiskActivities } from './risk/index.ts'
import { createTickersActivities } from './tickers/index.ts'

/** The activities of every area, one line each, and of what all share. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createPredictionActivities(deps),
    ...createPricesActivities(deps),
    ...createTickersActivities(deps),
    ...createChainActivities(deps),
    ...createDefiActivities(deps),
    ...createExchangesActivities(deps),
    ...createInsightsActivities(deps),
    ...createNewsActivities(deps),
    ...createNftActivities(deps),
    ...createRiskActivities(deps),
    ...createPnlActivities(deps),
    ...createPortfoliosActivities(deps),
    ...createRetryActivities(deps),
    ...createExportActivities(deps),
  }
}
