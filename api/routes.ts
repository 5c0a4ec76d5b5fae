import { getCoin } from './coins/get-coin.ts'
import { getCoinCharts } from './coins/get-coin-charts.ts'
import { getCoins } from './coins/get-coins.ts'
import { getPriceAvg } from './coins/get-price-avg.ts'
import { getCurrencies } from './currencies/get-currencies.ts'
import { getFiats } from './currencies/get-fiats.ts'
import { getMarkets } from './markets/get-markets.ts'
import type { Route } from './route.ts'
import { statusRoutes } from './status/routes.ts'
import { usageRoutes } from './usage/routes.ts'

/** Every endpoint, the only list of them. More specific paths need no order: the router prefers literals. */
export const routes: readonly Route[] = [
  ...statusRoutes,
  ...usageRoutes,
  getCoins,
  getCoin,
  getCoinCharts,
  getPriceAvg,
  getMarkets,
  getFiats,
  getCurrencies,
]
