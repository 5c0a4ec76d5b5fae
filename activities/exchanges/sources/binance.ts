import type { ExchangeSpec } from '../exchange.ts'
import type { PageRequest } from '../paging.ts'
import { callImplicit } from '../streams.ts'

/** Without `endTime`, CCXT sets an end 90 days after the start. */
const toTheEnd = ({ sinceMs, untilMs, limit }: PageRequest) => ({
  since: sinceMs,
  limit,
  params: { endTime: untilMs },
})

const TRANSFERS = { page: 1_000, windowDays: 90, history: '2017-07-01' } as const

/** Rights of a key beyond reading, by the field of the answer. */
const RIGHTS = {
  enableSpotAndMarginTrading: 'trade',
  enableMargin: 'margin',
  enableFutures: 'futures',
  enableVanillaOptions: 'options',
  enablePortfolioMarginTrading: 'portfolio margin',
  enableFixApiTrade: 'trade',
  enableWithdrawals: 'withdraw',
  enableInternalTransfer: 'transfer',
  permitsUniversalTransfer: 'transfer',
} as const

/**
 * Binance spot. Fills are read by id. Ids are unique only within a symbol and cannot be combined with times,
 * but reach back to the beginning without the 24-hour windows that times would need. Small balances converted
 * to BNB (dust) have their own list.
 */
export const binance: ExchangeSpec = {
  source: {
    name: 'binance',
    sandbox: { path: '/binance' },
    urlVariable: 'BINANCE_URL',
    defaultUrl: 'https://api.binance.com',
    // A page of fills weighs 20; the limit is 6,000 a minute.
    requestsPerSecond: 4,
    burst: 8,
  },
  probe: '/api/v3/time',
  options: { fetchMarkets: { types: ['spot'] } },
  signsTime: true,
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS, ask: toTheEnd },
    {
      name: 'dust',
      method: 'fetchMyDustTrades',
      ...TRANSFERS,
      page: 100,
      ask: (request) => ({ ...toTheEnd(request), limit: undefined }),
    },
    { name: 'fills', method: 'fetchMyTrades', by: 'id' },
  ],
  statuses: {
    // Deposits: rejected, at a wrong address, to be confirmed by the user.
    '2': 'failed',
    '7': 'pending',
    '8': 'pending',
  },
  rights: async (client) => {
    const answer = await callImplicit(client, 'sapiGetAccountApiRestrictions')
    return Object.entries(RIGHTS).flatMap(([field, right]) => (answer[field] === true ? [right] : []))
  },
}
