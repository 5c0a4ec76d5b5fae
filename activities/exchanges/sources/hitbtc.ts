import type { ExchangeSpec } from '../exchange.ts'
import type { PageRequest } from '../paging.ts'

const BY_TIME = {
  page: 1_000,
  windowDays: null,
  history: '2014-01-01',
  // CCXT passes no end.
  ask: ({ sinceMs, untilMs = 0, limit }: PageRequest) => ({
    since: sinceMs,
    limit,
    params: { till: new Date(untilMs).toISOString() },
  }),
} as const

/** HitBTC, with the wallets for deposits and for spot trading. */
export const hitbtc: ExchangeSpec = {
  source: {
    name: 'hitbtc',
    urlVariable: 'HITBTC_URL',
    defaultUrl: 'https://api.hitbtc.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  probe: '/api/3/public/currency/BTC',
  options: {},
  signsTime: false,
  wallets: [{ type: 'wallet' }, { type: 'spot' }],
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...BY_TIME },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...BY_TIME },
    { name: 'fills', method: 'fetchMyTrades', ...BY_TIME },
  ],
  rights: null,
}
