import type { ExchangeSpec } from '../exchange.ts'
import type { PageRequest } from '../paging.ts'

const TRANSFERS = {
  page: 1_000,
  windowDays: 7,
  history: 90,
  // CCXT passes no end.
  ask: ({ sinceMs, untilMs, limit }: PageRequest) => ({
    since: sinceMs,
    limit,
    params: { endTime: untilMs },
  }),
} as const

/** MEXC spot. Fills of the last 30 days, per symbol; transfers of the last 90 days. */
export const mexc: ExchangeSpec = {
  source: {
    name: 'mexc',
    urlVariable: 'MEXC_URL',
    defaultUrl: 'https://api.mexc.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  probe: '/api/v3/time',
  options: {},
  signsTime: true,
  loads: { markets: 'fetchSpotMarkets' },
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    { name: 'fills', method: 'fetchMyTrades', windowDays: null },
  ],
  statuses: {
    // Deposits: refunded, before success, invalid, restricted, completed.
    '8': 'failed',
    '9': 'pending',
    '10': 'failed',
    '11': 'pending',
    '12': 'ok',
  },
  rights: null,
}
