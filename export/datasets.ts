import { accountDatasets } from './datasets/accounts.ts'
import { chainDatasets } from './datasets/chain.ts'
import { marketDatasets } from './datasets/markets.ts'
import { priceDatasets } from './datasets/prices.ts'
import type { Dataset } from './dataset.ts'

/** Everything that is exported, and nothing else: files, catalog, data dictionary and verification derive from it. */
export const DATASETS: readonly Dataset[] = [
  ...priceDatasets,
  ...chainDatasets,
  ...accountDatasets,
  ...marketDatasets,
]
