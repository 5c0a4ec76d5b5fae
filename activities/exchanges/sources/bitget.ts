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
  windowDays: 90,
  history: '2018-09-01',
  lookbackMs: TRANSFER_LOOKBACK_MS,
})

/** Bitget spot. Fills of the last 90 days, per symbol. */
export const bitget: ExchangeSpec = {
  source: {
    name: 'bitget',
    urlVariable: 'BITGET_URL',
    defaultUrl: 'https://api.bitget.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  options: { fetchMarkets: { types: ['spot'] } },
  signsTime: true,
  streams: [
    depositStream(transfers),
    withdrawalStream(transfers),
    fillStream(timeWindow({ page: 100, windowDays: 90, history: 90, lookbackMs: FILL_LOOKBACK_MS }), {
      lists: 'symbols',
    }),
  ],
  rights: async (client) => {
    const { data } = await callImplicit(client, 'privateSpotGetV2SpotAccountInfo')
    const { authorities = [] } = (data ?? {}) as { authorities?: string[] }
    return authorities.filter((right) => !/^read/i.test(right))
  },
}
