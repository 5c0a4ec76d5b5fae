import type { ExchangeSpec } from '../exchange.ts'
import type { PageRequest } from '../paging.ts'

const OPENED = '2018-09-01'
// CCXT passes no end.
const ask = ({ sinceMs, untilMs, limit }: PageRequest) => ({
  since: sinceMs,
  limit,
  params: { endTime: untilMs },
})
const TRANSFERS = { page: 200, windowDays: null, history: OPENED, ask } as const

/** XT spot. */
export const xt: ExchangeSpec = {
  source: {
    name: 'xt',
    urlVariable: 'XT_URL',
    defaultUrl: 'https://sapi.xt.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  probe: '/v4/public/time',
  options: { defaultType: 'spot' },
  signsTime: true,
  loads: { markets: 'fetchSpotMarkets' },
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    { name: 'fills', method: 'fetchMyTrades', windowDays: null, history: OPENED, ask },
  ],
  rights: null,
}
