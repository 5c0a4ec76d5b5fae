import type { AreaSpec } from '../area.ts'

/** Figures about the whole market: fear and greed, bitcoin dominance, rainbow chart. */
export const insightsArea: AreaSpec = {
  name: 'insights',
  sources: [
    {
      name: 'alternative-me',
      meaning: 'Fear and greed index',
      sandbox: { path: '/alternative-me' },
      without: 'Fear and greed comes from CoinMarketCap, which needs a key',
      urlVariable: 'ALTERNATIVE_ME_URL',
      defaultUrl: 'https://api.alternative.me',
      requestsPerSecond: 0.5,
      burst: 3,
    },
    {
      name: 'coinmarketcap',
      meaning: 'Fear and greed index, when alternative.me fails',
      sandbox: { path: '/coinmarketcap', key: 'sandbox' },
      without: 'Nothing while alternative.me answers',
      urlVariable: 'COINMARKETCAP_URL',
      defaultUrl: 'https://pro-api.coinmarketcap.com',
      key: {
        variable: 'COINMARKETCAP_API_KEY',
        gives: 'Fear and greed while alternative.me fails',
        from: 'https://pro.coinmarketcap.com',
        isRequired: true,
      },
      // With the burst 29 in any minute of 30.
      requestsPerSecond: 0.4,
      burst: 5,
      quota: { requests: 15_000, per: 'month', units: 'credits, one a call' },
    },
  ],
  questions: async () => (await import('./questions.ts')).insightQuestions,
  requests: async () => (await import('./requests.ts')).insightRequests,
  schedules: [
    {
      id: 'refresh-insights',
      workflow: 'refreshInsights',
      everySeconds: 3600,
      jitterSeconds: 60,
      input: null,
    },
    {
      id: 'backfill-totals',
      workflow: 'backfillTotals',
      everySeconds: 86_400,
      jitterSeconds: 600,
      input: null,
      work: 'history',
      sources: ['coingecko'],
      // Past totals are added to the sampled ones.
      after: ['refresh-coins'],
    },
  ],
  tables: ['fear_greed'],
  rereads: ['refreshFearGreed'],
  freshnessTargetSeconds: 7200,
}
