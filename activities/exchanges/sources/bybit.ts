import type { ExchangeSpec } from '../exchange.ts'
import { callImplicit } from '../streams.ts'

const TRANSFERS = { page: 50, windowDays: 30, history: '2021-01-01' } as const

/** Bybit spot. Fills of the last two years, in windows of 7 days. */
export const bybit: ExchangeSpec = {
  source: {
    name: 'bybit',
    urlVariable: 'BYBIT_URL',
    defaultUrl: 'https://api.bybit.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  probe: '/v5/market/time',
  options: { fetchMarkets: { types: ['spot'] }, defaultType: 'spot' },
  signsTime: true,
  wallets: [{}, { type: 'funding' }],
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    { name: 'fills', method: 'fetchMyTrades' },
  ],
  statuses: {
    // Deposits: on their way to the funding account, and there; rolled back by the chain, and after that.
    '10011': 'pending',
    '10012': 'ok',
    '7': 'pending',
    '70011': 'failed',
    '70012': 'ok',
    '70013': 'pending',
    MoreInformationRequired: 'pending',
  },
  rights: async (client) => {
    const { result } = await callImplicit(client, 'privateGetV5UserQueryApi')
    const { readOnly } = (result ?? {}) as { readOnly?: number | string }
    return String(readOnly) === '0' ? ['write'] : []
  },
}
