import { SourceRejected } from '../errors.ts'
import type { AskDeps, Questions } from '../source-questions.ts'

/** Public endpoints without a key: the exchange's time. */
const CLOCKS: Record<string, string> = {
  binance: '/api/v3/time',
  bitget: '/api/v2/public/time',
  bybit: '/v5/market/time',
  coinbase: '/v2/time',
  gate: '/api/v4/spot/time',
  kraken: '/0/public/Time',
  kucoin: '/api/v1/timestamp',
  okx: '/api/v5/public/time',
}

export const exchangeQuestions = ({ http, config }: AskDeps): Questions =>
  Object.fromEntries(
    Object.entries(CLOCKS).map(([source, path]) => [
      source,
      () =>
        http.fetchText({
          source,
          url: config.sources[source]!.url + path,
          read: ({ status }) => {
            if (status !== 200) throw new SourceRejected(source, `status ${status}`)
          },
        }),
    ]),
  )
