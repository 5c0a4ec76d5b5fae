import type { ExchangeSpec } from '../exchange.ts'
import { callImplicit } from '../streams.ts'

const TRANSFERS = { page: 100, windowDays: null, history: '2017-01-01' } as const

/** OKX spot. Fills older than 90 days are unavailable. */
export const okx: ExchangeSpec = {
  source: {
    name: 'okx',
    urlVariable: 'OKX_URL',
    defaultUrl: 'https://www.okx.com',
    requestsPerSecond: 4,
    burst: 8,
  },
  probe: '/api/v5/public/time',
  options: { fetchMarkets: { types: ['spot'] } },
  signsTime: true,
  wallets: [{}, { type: 'funding' }],
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    { name: 'fills', method: 'fetchMyTrades' },
  ],
  statuses: {
    // Deposits: a listed address, an intercepted sub-account, KYC. Both: the travel rule. Withdrawals: an empty wallet.
    '11': 'pending',
    '13': 'pending',
    '14': 'pending',
    '17': 'pending',
    '19': 'pending',
  },
  rights: async (client) => {
    const { data } = await callImplicit(client, 'privateGetAccountConfig')
    const [account] = (data ?? []) as { perm?: string }[]
    return (account?.perm ?? '').split(',').filter((right) => right !== '' && right !== 'read_only')
  },
}
