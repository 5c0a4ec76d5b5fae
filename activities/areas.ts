import type { AreaSpec } from './area.ts'
import { chainArea } from './chain/area.ts'
import { defiArea } from './defi/area.ts'
import { exchangesArea } from './exchanges/area.ts'
import { insightsArea } from './insights/area.ts'
import { newsArea } from './news/area.ts'
import { nftArea } from './nft/area.ts'
import { pnlArea } from './pnl/area.ts'
import { portfoliosArea } from './portfolios/area.ts'
import { predictionArea } from './prediction/area.ts'
import { pricesArea } from './prices/area.ts'
import { riskArea } from './risk/area.ts'
import { tickersArea } from './tickers/area.ts'

/** Every data area: one line each. Schedules, sources and status derive from it. */
export const AREAS: readonly AreaSpec[] = [
  pricesArea,
  tickersArea,
  chainArea,
  defiArea,
  pnlArea,
  portfoliosArea,
  newsArea,
  nftArea,
  exchangesArea,
  insightsArea,
  riskArea,
  predictionArea,
]
