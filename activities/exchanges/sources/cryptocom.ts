import type { ExchangeSpec } from '../exchange.ts'
import type { PageRequest } from '../paging.ts'

const TRANSFERS = {
  by: 'offset',
  page: 200,
  windowDays: 90,
  history: '2019-11-14',
  ask: ({ sinceMs, untilMs, limit, offset = 0 }: PageRequest) => ({
    since: sinceMs,
    limit,
    params: { until: untilMs, page: offset / limit },
  }),
} as const

/** Crypto.com Exchange. Fills in windows of one day, so half a year of them is read. */
export const cryptocom: ExchangeSpec = {
  source: {
    name: 'cryptocom',
    urlVariable: 'CRYPTOCOM_URL',
    defaultUrl: 'https://api.crypto.com',
    // A second between requests for fills.
    requestsPerSecond: 1,
    burst: 3,
  },
  probe: '/exchange/v1/public/get-risk-parameters',
  options: {},
  signsTime: false,
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    { name: 'fills', method: 'fetchMyTrades', history: 180 },
  ],
  rights: null,
}
