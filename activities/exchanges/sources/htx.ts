import type { ExchangeSpec } from '../exchange.ts'
import type { PageRequest } from '../paging.ts'
import { callImplicit } from '../streams.ts'

/** Transfers take no times: pages go back from the newest by id. */
const TRANSFERS = {
  by: 'back',
  page: 100,
  ask: ({ limit, fromId }: PageRequest) => ({ limit, params: fromId === undefined ? {} : { from: fromId } }),
} as const

/** HTX spot. Fills of the last 120 days, in windows of two days. */
export const htx: ExchangeSpec = {
  source: {
    name: 'htx',
    urlVariable: 'HTX_URL',
    // Requests sign the host, and CCXT signs this one.
    defaultUrl: 'https://api.huobi.pro',
    requestsPerSecond: 5,
    burst: 10,
  },
  probe: '/v1/common/timestamp',
  options: { fetchMarkets: { types: { spot: true, linear: false, inverse: false } } },
  signsTime: true,
  loads: { options: ['networkNamesByChainIds', 'networkChainIdsByNames'] },
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    { name: 'fills', method: 'fetchMyTrades' },
  ],
  rights: async (client) => {
    const { data: uid } = await callImplicit(client, 'v2PrivateGetUserUid')
    const { data } = await callImplicit(client, 'v2PrivateGetUserApiKey', { uid, accessKey: client.apiKey })
    return ((data ?? []) as { permission?: string }[])
      .flatMap(({ permission = '' }) => permission.split(','))
      .filter((right) => right !== '' && right !== 'readOnly')
  },
}
