import type { ExchangeSpec } from '../exchange.ts'
import { callImplicit } from '../streams.ts'

const TRANSFERS = { page: 100, windowDays: 90, history: '2018-09-01' } as const

/** Bitget spot. Fills of the last 90 days, per symbol. */
export const bitget: ExchangeSpec = {
  source: {
    name: 'bitget',
    urlVariable: 'BITGET_URL',
    defaultUrl: 'https://api.bitget.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  probe: '/api/v2/public/time',
  options: { fetchMarkets: { types: ['spot'] } },
  signsTime: true,
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    { name: 'fills', method: 'fetchMyTrades', history: 90 },
  ],
  rights: async (client) => {
    const { data } = await callImplicit(client, 'privateSpotGetV2SpotAccountInfo')
    const { authorities = [] } = (data ?? {}) as { authorities?: string[] }
    return authorities.filter((right) => !/^read/i.test(right))
  },
}
