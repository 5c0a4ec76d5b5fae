import type { AreaSpec } from '../area.ts'

/** Coins, their prices and the exchange rates of currencies. */
export const pricesArea: AreaSpec = {
  name: 'prices',
  sources: [
    {
      name: 'coingecko',
      urlVariable: 'COINGECKO_URL',
      defaultUrl: 'https://api.coingecko.com/api/v3',
      keyVariable: 'COINGECKO_API_KEY',
      keyRequired: true,
      requestsPerSecond: 0.5,
      burst: 5,
      quota: { requests: 10_000, per: 'month' },
    },
    {
      name: 'coinpaprika',
      urlVariable: 'COINPAPRIKA_URL',
      defaultUrl: 'https://api.coinpaprika.com/v1',
      keyVariable: 'COINPAPRIKA_API_KEY',
      keyRequired: false,
      requestsPerSecond: 1,
      burst: 5,
      quota: { requests: 20_000, per: 'month' },
    },
    {
      name: 'defillama',
      urlVariable: 'DEFILLAMA_URL',
      defaultUrl: 'https://coins.llama.fi',
      keyVariable: null,
      keyRequired: false,
      requestsPerSecond: 2,
      burst: 5,
    },
    {
      name: 'frankfurter',
      urlVariable: 'FRANKFURTER_URL',
      defaultUrl: 'https://api.frankfurter.dev',
      keyVariable: null,
      keyRequired: false,
      requestsPerSecond: 1,
      burst: 5,
      // Asked every four hours.
      freshnessTargetSeconds: 18_000,
    },
  ],
  schedules: [
    // Two pages and the totals each quarter of an hour are 288 calls a day; CoinGecko's free plan gives about 330.
    { id: 'refresh-coins', workflow: 'refreshCoins', everySeconds: 900, jitterSeconds: 10, input: null },
    {
      id: 'refresh-listings',
      workflow: 'refreshListings',
      everySeconds: 21_600,
      jitterSeconds: 300,
      input: null,
    },
    { id: 'refresh-hours', workflow: 'refreshHours', everySeconds: 3600, jitterSeconds: 60, input: null },
    { id: 'refresh-fiats', workflow: 'refreshFiats', everySeconds: 14_400, jitterSeconds: 300, input: null },
    {
      id: 'backfill-prices',
      workflow: 'backfillPrices',
      everySeconds: 86_400,
      jitterSeconds: 600,
      input: null,
    },
  ],
  tables: [
    'coins',
    'coin_mappings',
    'coin_contracts',
    'coin_quotes',
    'market_totals',
    'price_hours',
    'price_days',
    'price_histories',
    'fx_rates',
  ],
  freshnessTargetSeconds: 1800,
}
