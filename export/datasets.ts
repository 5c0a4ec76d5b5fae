import type { Dataset } from './dataset.ts'
import { chainDatasets } from './datasets/chain.ts'
import { defiDatasets } from './datasets/defi.ts'
import { exchangeDatasets } from './datasets/exchanges.ts'
import { insightDatasets } from './datasets/insights.ts'
import { newsDatasets } from './datasets/news.ts'
import { nftDatasets } from './datasets/nft.ts'
import { pnlDatasets } from './datasets/pnl.ts'
import { portfolioDatasets } from './datasets/portfolios.ts'
import { predictionDatasets } from './datasets/prediction.ts'
import { predictionTraderDatasets } from './datasets/prediction-traders.ts'
import { priceDatasets } from './datasets/prices.ts'
import { riskDatasets } from './datasets/risk.ts'
import { sourceDatasets } from './datasets/sources.ts'
import { tickerDatasets } from './datasets/tickers.ts'

/** Everything that is exported, and nothing else: files, catalog, data dictionary and verification derive from it. */
export const DATASETS: readonly Dataset[] = [
  ...priceDatasets,
  ...insightDatasets,
  ...riskDatasets,
  ...tickerDatasets,
  ...chainDatasets,
  ...defiDatasets,
  ...nftDatasets,
  ...exchangeDatasets,
  ...portfolioDatasets,
  ...pnlDatasets,
  ...predictionDatasets,
  ...predictionTraderDatasets,
  ...newsDatasets,
  ...sourceDatasets,
]
