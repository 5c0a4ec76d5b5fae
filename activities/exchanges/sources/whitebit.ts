import type { ExchangeSpec } from '../exchange.ts'
import type { PageRequest } from '../paging.ts'

/** Transfers take no times: pages go back from the newest row. */
const TRANSFERS = {
  by: 'offset',
  isTimed: false,
  page: 100,
  ask: ({ limit, offset }: PageRequest) => ({ limit, params: { offset } }),
} as const

/** WhiteBIT, with the wallets for deposits and for trading. */
export const whitebit: ExchangeSpec = {
  source: {
    name: 'whitebit',
    urlVariable: 'WHITEBIT_URL',
    defaultUrl: 'https://whitebit.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  probe: '/api/v4/public/time',
  options: {},
  signsTime: true,
  wallets: [{ account: 'main' }, { account: 'trade' }],
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    {
      name: 'fills',
      method: 'fetchMyTrades',
      // By offset within windows, because offsets above 10,000 are refused. CCXT passes neither.
      by: 'offset',
      windowDays: 90,
      history: '2018-01-01',
      ask: ({ sinceMs = 0, untilMs = 0, limit, offset }: PageRequest) => ({
        params: {
          limit,
          offset,
          startDate: Math.floor(sinceMs / 1_000),
          endDate: Math.ceil(untilMs / 1_000),
        },
      }),
    },
  ],
  statuses: {
    // Deposits and withdrawals: data are asked for. Deposits: not credited, the travel rule.
    '21': 'pending',
    '22': 'pending',
    '27': 'pending',
    '28': 'pending',
  },
  rights: null,
}
