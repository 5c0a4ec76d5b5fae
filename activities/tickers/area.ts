import type { AreaSpec } from '../area.ts'

/** Exchanges with their volumes, and the markets on them. CoinGecko and CoinPaprika are declared by the area of prices. */
export const tickersArea: AreaSpec = {
  name: 'tickers',
  sources: [
    {
      name: 'binance-klines',
      meaning: 'Hourly prices of markets on Binance',
      sandbox: { path: '/binance-klines' },
      urlVariable: 'BINANCE_KLINES_URL',
      defaultUrl: 'https://data-api.binance.vision',
      keyVariable: null,
      keyRequired: false,
      requestsPerSecond: 5,
      burst: 10,
    },
  ],
  questions: async () => (await import('./questions.ts')).tickerQuestions,
  schedules: [
    // Eleven calls of CoinGecko a run, 88 a day; its free plan gives about 330, of which quotes take 216.
    {
      id: 'refresh-tickers',
      workflow: 'refreshTickers',
      everySeconds: 10_800,
      jitterSeconds: 300,
      input: { exchanges: 10, pages: 1 },
      // Past volumes in BTC are converted with its price at their instant.
      after: ['backfill-prices'],
    },
  ],
  tables: [
    'ticker_exchanges',
    'ticker_exchange_mappings',
    'ticker_exchange_volumes',
    'tickers',
    'ticker_prices',
  ],
  rereads: ['refreshExchanges', 'refreshTickers'],
  freshnessTargetSeconds: 4 * 3600,
}
