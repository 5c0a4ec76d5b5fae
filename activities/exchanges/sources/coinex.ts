import type { ExchangeSpec } from '../exchange.ts'
import type { PageRequest } from '../paging.ts'

/** Transfers take no times: pages, counted from 1, go back from the newest row. */
const TRANSFERS = {
  by: 'offset',
  isTimed: false,
  page: 100,
  ask: ({ limit, offset = 0 }: PageRequest) => ({ limit, params: { page: offset / limit + 1 } }),
} as const

/** CoinEx spot, fills per symbol. */
export const coinex: ExchangeSpec = {
  source: {
    name: 'coinex',
    urlVariable: 'COINEX_URL',
    defaultUrl: 'https://api.coinex.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  probe: '/v2/time',
  options: {},
  signsTime: false,
  loads: { markets: 'fetchSpotMarkets' },
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    { name: 'fills', method: 'fetchMyTrades', history: '2017-12-01' },
  ],
  statuses: {
    audited: 'pending',
    cancellation_failed: 'pending',
    exception: 'pending',
    // A deposit below the least amount is not credited.
    too_small: 'failed',
  },
  rights: null,
}
