import type { ExchangeSpec } from '../exchange.ts'
import type { PageRequest } from '../paging.ts'
import { callImplicit } from '../streams.ts'

const SINCE = { fullPage: 'oldest', windowDays: null, history: '2015-10-05' } as const

/** The roles of a key, each true or false; an auditor only reads. */
const READS = ['isAuditor']

/** Gemini, by time from the oldest row on. Requests take no end. */
export const gemini: ExchangeSpec = {
  source: {
    name: 'gemini',
    urlVariable: 'GEMINI_URL',
    defaultUrl: 'https://api.gemini.com',
    requestsPerSecond: 5,
    burst: 5,
  },
  probe: '/v1/symbols',
  options: { fetchMarkets: { webApiEnable: false } },
  signsTime: false,
  // Its currencies are on a page for browsers.
  loads: { currencies: false },
  lists: [
    {
      name: 'transfers',
      method: 'fetchDepositsWithdrawals',
      ...SINCE,
      page: 50,
      ask: ({ sinceMs, limit }: PageRequest) => ({ since: sinceMs, limit, params: {} }),
      otherTransfers: {
        reward: { like: 'deposit', kind: 'reward' },
        admincredit: { like: 'deposit', kind: 'move' },
        admindebit: { like: 'withdrawal', kind: 'move' },
      },
    },
    {
      name: 'fills',
      method: 'fetchMyTrades',
      ...SINCE,
      // The exchange counts in seconds. CCXT would remove fills of the same second before the given millisecond.
      ask: ({ sinceMs = 0, limit }: PageRequest) => ({
        since: sinceMs - (sinceMs % 1_000),
        limit,
        params: {},
      }),
    },
  ],
  rights: async (client) => {
    const roles = await callImplicit(client, 'privatePostV1Roles')
    return Object.entries(roles).flatMap(([role, has]) =>
      has === true && !READS.includes(role) ? [role] : [],
    )
  },
}
