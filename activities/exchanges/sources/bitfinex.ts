import type { ExchangeSpec } from '../exchange.ts'
import type { PageRequest } from '../paging.ts'
import { callImplicit } from '../streams.ts'

const BY_TIME = {
  windowDays: null,
  history: '2013-01-01',
  // CCXT ends at the present.
  ask: ({ sinceMs, untilMs, limit }: PageRequest) => ({ since: sinceMs, limit, params: { end: untilMs } }),
} as const

/** Bitfinex, with the wallets for trading, margin and funding. */
export const bitfinex: ExchangeSpec = {
  source: {
    name: 'bitfinex',
    urlVariable: 'BITFINEX_URL',
    defaultUrl: 'https://api.bitfinex.com',
    // 90 requests a minute.
    requestsPerSecond: 1,
    burst: 5,
  },
  probe: '/v2/platform/status',
  options: {},
  signsTime: false,
  wallets: [{ type: 'exchange' }, { type: 'margin' }, { type: 'funding' }],
  lists: [
    { name: 'movements', method: 'fetchDepositsWithdrawals', ...BY_TIME, page: 1_000 },
    { name: 'fills', method: 'fetchMyTrades', ...BY_TIME },
  ],
  rights: async (client) => {
    const answer = (await callImplicit(client, 'privatePostAuthRPermissions')) as unknown as unknown[][]
    return answer.flatMap(([scope, _reads, writes]) =>
      String(writes) === '1' && scope !== 'settings' && scope !== 'ui_withdraw' ? [String(scope)] : [],
    )
  },
}
