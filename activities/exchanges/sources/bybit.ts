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
  page: 50,
  windowDays: 30,
  history: '2021-01-01',
  lookbackMs: TRANSFER_LOOKBACK_MS,
})

/** Bybit spot. Fills of the last two years, in windows of 7 days. */
export const bybit: ExchangeSpec = {
  source: {
    name: 'bybit',
    urlVariable: 'BYBIT_URL',
    defaultUrl: 'https://api.bybit.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  options: { fetchMarkets: { types: ['spot'] }, defaultType: 'spot' },
  signsTime: true,
  streams: [
    depositStream(transfers),
    withdrawalStream(transfers),
    fillStream(timeWindow({ page: 100, windowDays: 7, history: 730, lookbackMs: FILL_LOOKBACK_MS }), {
      lists: 'one',
    }),
  ],
  rights: async (client) => {
    const { result } = await callImplicit(client, 'privateGetV5UserQueryApi')
    const { readOnly } = (result ?? {}) as { readOnly?: number | string }
    return String(readOnly) === '0' ? ['write'] : []
  },
}
