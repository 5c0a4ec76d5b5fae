import type { Route } from '../route.ts'
import { getCoinCharts } from './get-coin-charts.ts'
import { getCoin } from './get-coin.ts'
import { getCoinsCharts } from './get-coins-charts.ts'
import { getCoins } from './get-coins.ts'
import { getCurrencies } from './get-currencies.ts'
import { getFiats } from './get-fiats.ts'
import { getMarkets } from './get-markets.ts'
import { getPriceAvg } from './get-price-avg.ts'
import { getPriceExchange } from './get-price-exchange.ts'

export const pricesRoutes: readonly Route[] = [
  getCoins,
  getCoin,
  getCoinCharts,
  getCoinsCharts,
  getPriceAvg,
  getPriceExchange,
  getMarkets,
  getFiats,
  getCurrencies,
]
