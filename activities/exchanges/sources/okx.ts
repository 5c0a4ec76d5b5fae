import {
  callImplicit,
  depositStream,
  FILL_LOOKBACK_MS,
  fillStream,
  timeWindow,
  TRANSFER_LOOKBACK_MS,
  withdrawalStream,
} from '../streams.ts'
import type { ExchangeSpec } from '../exchange.ts'

const transfers = timeWindow({
  page: 100,
  windowDays: null,
  history: '2017-01-01',
  lookbackMs: TRANSFER_LOOKBACK_MS,
})

/** OKX spot. Fills older than 90 days are unavailable. */
export const okx: ExchangeSpec = {
  source: {
    name: 'okx',
    urlVariable: 'OKX_URL',
    defaultUrl: 'https://www.okx.com',
    requestsPerSecond: 4,
    burst: 8,
  },
  options: { fetchMarkets: { types: ['spot'] } },
  signsTime: true,
  streams: [
    depositStream(transfers),
    withdrawalStream(transfers),
    fillStream(timeWindow({ page: 100, windowDays: null, history: 90, lookbackMs: FILL_LOOKBACK_MS }), {
      lists: 'one',
    }),
  ],
  rights: async (client) => {
    const { data } = await callImplicit(client, 'privateGetAccountConfig')
    const [account] = (data ?? []) as { perm?: string }[]
    return (account?.perm ?? '').split(',').filter((right) => right !== '' && right !== 'read_only')
  },
}
