import type { AreaSpec } from '../area.ts'

/** Exchanges, their volumes and their markets. The prices area declares CoinGecko and CoinPaprika. */
export const tickersArea: AreaSpec = {
  name: 'tickers',
  sources: [
    {
      name: 'binance-klines',
      meaning: 'Hourly prices of Binance markets',
      sandbox: { path: '/binance-klines' },
      without: 'No hourly prices of Binance markets',
      urlVariable: 'BINANCE_KLINES_URL',
      defaultUrl: 'https://data-api.binance.vision',
      requestsPerSecond: 5,
      burst: 10,
    },
  ],
  questions: async () => (await import('./questions.ts')).tickerQuestions,
  requests: async () => (await import('./requests.ts')).tickerRequests,
  schedules: [
    // Eleven CoinGecko calls per run, 44 a day. Its free plan allows 322, of which quotes take 120.
    {
      id: 'refresh-tickers',
      workflow: 'refreshTickers',
      everySeconds: 21_600,
      jitterSeconds: 300,
      input: { exchanges: 10, pages: 1 },
      sources: ['coingecko', 'coinpaprika', 'binance-klines'],
      // Past volumes in BTC are converted at the bitcoin price of their instant.
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
  // As refreshes they would wait behind descriptions until the next run, six hours after the first.
  works: { refreshExchanges: 'heads', refreshTickers: 'heads' },
  freshnessTargetSeconds: 7 * 3600,
}
