import type { ExchangeSpec } from '../exchange.ts'
import { callImplicit } from '../streams.ts'

/** Earlier history is on other endpoints, without ids. */
const BEGINNING = '2019-02-19'
const TRANSFERS = { page: 500, windowDays: null, history: BEGINNING } as const

/** KuCoin spot. Fills of all symbols in windows of 7 days. */
export const kucoin: ExchangeSpec = {
  source: {
    name: 'kucoin',
    urlVariable: 'KUCOIN_URL',
    defaultUrl: 'https://api.kucoin.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  probe: '/api/v1/timestamp',
  options: { fetchMarkets: { types: ['spot'], fetchTickersFees: false }, hf: false, uta: false },
  signsTime: true,
  wallets: [{ type: 'main' }, { type: 'trade' }],
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    {
      name: 'fills',
      method: 'fetchMyTrades',
      page: 500,
      history: BEGINNING,
      // CCXT declares that a symbol is required, which holds for other accounts than these.
      of: 'one',
      // CCXT sends no limit on this path; the exchange's own default is 50.
      params: { pageSize: 500 },
    },
  ],
  rights: async (client) => {
    const { data } = await callImplicit(client, 'privateGetUserApiKey')
    const { permission = '' } = (data ?? {}) as { permission?: string }
    return permission
      .split(',')
      .map((right) => right.trim())
      .filter((right) => right !== '' && right !== 'General')
  },
}
