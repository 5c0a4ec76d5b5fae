import type { ExchangeSpec } from '../exchange.ts'
import type { PageRequest } from '../paging.ts'

/** One answer has all transfers of a window. */
const TRANSFERS = {
  page: Infinity,
  windowDays: 180,
  history: '2014-01-18',
  // CCXT ends at the present. The exchange counts in seconds.
  ask: ({ sinceMs, untilMs = 0 }: PageRequest) => ({
    since: sinceMs,
    params: { end: Math.ceil(untilMs / 1_000) },
  }),
} as const

/** Poloniex spot. Fills since its present system began. */
export const poloniex: ExchangeSpec = {
  source: {
    name: 'poloniex',
    urlVariable: 'POLONIEX_URL',
    defaultUrl: 'https://api.poloniex.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  probe: '/timestamp',
  options: {},
  signsTime: false,
  loads: { markets: 'fetchSpotMarkets' },
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    { name: 'fills', method: 'fetchMyTrades', windowDays: 30, history: '2022-08-01' },
  ],
  rights: null,
}
