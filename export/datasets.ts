import type { Dataset } from './dataset.ts'
import { accountDatasets } from './datasets/accounts.ts'
import { chainDatasets } from './datasets/chain.ts'
import { defiDatasets } from './datasets/defi.ts'
import { newsDatasets } from './datasets/news.ts'
import { nftDatasets } from './datasets/nft.ts'
import { pnlDatasets } from './datasets/pnl.ts'
import { predictionDatasets } from './datasets/prediction.ts'
import { predictionTraderDatasets } from './datasets/prediction-traders.ts'
import { priceDatasets } from './datasets/prices.ts'
import { qualityDatasets } from './datasets/quality.ts'
import { tickerDatasets } from './datasets/tickers.ts'

/** Everything that is exported, and nothing else: files, catalog, data dictionary and verification derive from it. */
export const DATASETS: readonly Dataset[] = [
  ...priceDatasets,
  ...tickerDatasets,
  ...chainDatasets,
  ...defiDatasets,
  ...nftDatasets,
  ...accountDatasets,
  ...pnlDatasets,
  ...predictionDatasets,
  ...predictionTraderDatasets,
  ...newsDatasets,
  ...qualityDatasets,
]
