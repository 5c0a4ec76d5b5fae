import type { AreaSpec, SourceSpec } from '../area.ts'

const refresh = (venue: string, everySeconds: number) => ({
  id: `refresh-${venue}`,
  workflow: 'refreshPrediction',
  everySeconds,
  jitterSeconds: 30,
  input: { venue },
  sources: venue === 'kalshi' ? ['kalshi'] : polymarket.map(({ name }) => name),
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

/** Polymarket and Kalshi: events, markets, fills, order books, holders, prices and traders. */
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
  ],
  requests: async () => (await import('./requests.ts')).predictionRequests,
  questions: async () => (await import('./questions.ts')).predictionQuestions,
  schedules: [refresh('polymarket', 300), refresh('kalshi', 300)],
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
