import type { PredictionVenue } from '../../db/prediction/tables.ts'
import type { AreaSpec, SourceSpec } from '../area.ts'

const refresh = (venue: PredictionVenue, everySeconds: number) => ({
  id: `refresh-${venue}`,
  workflow: 'refreshPrediction',
  everySeconds,
  jitterSeconds: 30,
  input: { venue },
  sources: venue === 'polymarket' ? polymarket.map(({ name }) => name) : [venue],
  // The first run takes long, and no other area needs its data.
  after: ['backfill-prices'],
})

const polymarket: SourceSpec[] = [
  {
    name: 'polymarket-gamma',
    meaning: 'Prediction markets and events of Polymarket',
    sandbox: { path: '/polymarket/gamma' },
    without: 'No Polymarket',
    urlVariable: 'POLYMARKET_GAMMA_URL',
    defaultUrl: 'https://gamma-api.polymarket.com',
    requestsPerSecond: 10,
    burst: 20,
  },
  {
    name: 'polymarket-data',
    meaning: 'Trades and holders of Polymarket markets',
    sandbox: { path: '/polymarket/data' },
    without: 'No trades, holders and traders of Polymarket',
    urlVariable: 'POLYMARKET_DATA_URL',
    defaultUrl: 'https://data-api.polymarket.com',
    requestsPerSecond: 10,
    burst: 20,
  },
  {
    name: 'polymarket-clob',
    meaning: 'Order books and price histories of Polymarket markets',
    sandbox: { path: '/polymarket/clob' },
    without: 'No order books and price histories of Polymarket',
    urlVariable: 'POLYMARKET_CLOB_URL',
    defaultUrl: 'https://clob.polymarket.com',
    requestsPerSecond: 30,
    burst: 50,
  },
]

/**
 * Polymarket and Kalshi, and Limitless, PredictIt and Manifold where the operator turns them on: events, markets, fills,
 * order books, holders, prices and traders.
 */
export const predictionArea: AreaSpec = {
  name: 'prediction',
  sources: [
    ...polymarket,
    {
      name: 'kalshi',
      meaning: 'Prediction markets of Kalshi, with trades, order books and price histories',
      sandbox: { path: '/kalshi/trade-api/v2' },
      without: 'No Kalshi',
      urlVariable: 'KALSHI_URL',
      defaultUrl: 'https://external-api.kalshi.com/trade-api/v2',
      // Kalshi publishes the rate of signed requests only: 20 a second.
      requestsPerSecond: 4,
      burst: 1,
    },
    {
      name: 'limitless',
      meaning:
        'Prediction markets of Limitless in USDC, with trades, order books and price histories: `https://api.limitless.exchange`',
      without: 'No Limitless',
      urlVariable: 'LIMITLESS_URL',
      // Lists and totals of all venues grow only where the operator wants it.
      defaultUrl: null,
      // Two calls at once, 300 ms apart (docs.limitless.exchange/api-reference).
      requestsPerSecond: 3,
      burst: 1,
    },
    {
      name: 'predictit',
      meaning:
        'Prediction markets of PredictIt about politics, prices alone: `https://www.predictit.org/api`. Not for commercial use, and pages that show them must name PredictIt',
      without: 'No PredictIt',
      urlVariable: 'PREDICTIT_URL',
      defaultUrl: null,
      // It makes its one answer once a minute.
      requestsPerSecond: 0.02,
      burst: 2,
    },
    {
      name: 'manifold',
      meaning:
        'Prediction markets of Manifold in play money, with price histories: `https://api.manifold.markets`. Models may be trained on its data for commercial use only with its licence',
      without: 'No Manifold',
      urlVariable: 'MANIFOLD_URL',
      defaultUrl: null,
      // 500 a minute from one address (docs.manifold.markets/api).
      requestsPerSecond: 5,
      burst: 10,
    },
  ],
  requests: async () => (await import('./requests.ts')).predictionRequests,
  questions: async () => (await import('./questions.ts')).predictionQuestions,
  schedules: [
    refresh('polymarket', 300),
    refresh('kalshi', 300),
    refresh('limitless', 300),
    refresh('predictit', 300),
    refresh('manifold', 300),
  ],
  tables: [
    'prediction_events',
    'prediction_markets',
    'prediction_outcomes',
    'prediction_tags',
    'prediction_traders',
    'prediction_trades',
    'prediction_trade_days',
    'prediction_prices',
    'prediction_books',
    'prediction_holders',
    'prediction_positions',
    'prediction_trader_days',
    'prediction_leaders',
    'prediction_venue_periods',
    'prediction_matches',
    'prediction_event_matches',
  ],
  freshnessTargetSeconds: 900,
}
