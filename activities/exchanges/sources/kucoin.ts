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

/** Earlier history is on other endpoints, without ids. */
const BEGINNING = '2019-02-19'
const transfers = timeWindow({
  page: 500,
  windowDays: null,
  history: BEGINNING,
  lookbackMs: TRANSFER_LOOKBACK_MS,
})

/** KuCoin spot. Fills of all symbols in windows of 7 days. */
export const kucoin: ExchangeSpec = {
  source: {
    name: 'kucoin',
    urlVariable: 'KUCOIN_URL',
    defaultUrl: 'https://api.kucoin.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  options: { fetchMarkets: { types: ['spot'], fetchTickersFees: false }, hf: false, uta: false },
  signsTime: true,
  streams: [
    depositStream(transfers),
    withdrawalStream(transfers),
    fillStream(timeWindow({ page: 500, windowDays: 7, history: BEGINNING, lookbackMs: FILL_LOOKBACK_MS }), {
      lists: 'one',
      // CCXT sends no limit on this path; the exchange's own default is 50.
      params: { pageSize: 500 },
    }),
  ],
  rights: async (client) => {
    const { data } = await callImplicit(client, 'privateGetUserApiKey')
    const { permission = '' } = (data ?? {}) as { permission?: string }
    return permission
      .split(',')
      .map((right) => right.trim())
      .filter((right) => right !== '' && right !== 'General')
  },
}
