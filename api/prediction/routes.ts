import type { Route } from '../route.ts'
import { getEventCrossVenue } from './get-event-cross-venue.ts'
import { getPredictionEvent } from './get-event.ts'
import { getPredictionEvents } from './get-events.ts'
import { getHolders } from './get-holders.ts'
import { getMarketCrossVenue } from './get-market-cross-venue.ts'
import { getPredictionHistory } from './get-market-history.ts'
import { getMarketTrades } from './get-market-trades.ts'
import { getPredictionMarket } from './get-market.ts'
import { getPredictionMarkets } from './get-markets.ts'
import { getOrderbook } from './get-orderbook.ts'
import { getPlatformCategories } from './get-platform-categories.ts'
import { getPlatformOverview } from './get-platform-overview.ts'
import { getPlatformVolume } from './get-platform-volume.ts'
import { getPredictionSearch } from './get-search.ts'
import { getPredictionTags } from './get-tags.ts'
import { getTraderPnl } from './get-trader-pnl.ts'
import { getTraderPositions } from './get-trader-positions.ts'
import { getTraderTrades } from './get-trader-trades.ts'
import { getTrader } from './get-trader.ts'
import { getTraders } from './get-traders.ts'

export const predictionRoutes: readonly Route[] = [
  getPredictionMarkets,
  getPredictionMarket,
  getPredictionHistory,
  getOrderbook,
  getMarketTrades,
  getHolders,
  getMarketCrossVenue,
  getPredictionEvents,
  getPredictionEvent,
  getEventCrossVenue,
  getTraders,
  getTrader,
  getTraderPositions,
  getTraderTrades,
  getTraderPnl,
  getPlatformOverview,
  getPlatformVolume,
  getPlatformCategories,
  getPredictionSearch,
  getPredictionTags,
]
