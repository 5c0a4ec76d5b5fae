import type { ExchangeSpec } from '../exchange.ts'
import type { PageRequest } from '../paging.ts'

const OPENED = '2018-07-01'
const TRANSFERS = {
  page: 1_000,
  windowDays: null,
  history: OPENED,
  hasNoIds: true,
  // CCXT passes no end.
  ask: ({ sinceMs, untilMs, limit }: PageRequest) => ({ since: sinceMs, limit, params: { end: untilMs } }),
} as const

/** Bitvavo. Its transfers have no ids. */
export const bitvavo: ExchangeSpec = {
  source: {
    name: 'bitvavo',
    urlVariable: 'BITVAVO_URL',
    defaultUrl: 'https://api.bitvavo.com',
    // Weight 5 a request, 1,000 a minute.
    requestsPerSecond: 3,
    burst: 10,
  },
  probe: '/v2/time',
  options: {},
  signsTime: false,
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    { name: 'fills', method: 'fetchMyTrades', history: OPENED },
  ],
  rights: null,
}
