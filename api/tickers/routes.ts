import type { Route } from '../route.ts'
import { getExchanges } from './get-exchanges.ts'
import { getTickerMarkets } from './get-markets.ts'

export const tickersRoutes: readonly Route[] = [getExchanges, getTickerMarkets]
