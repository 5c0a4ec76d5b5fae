import { COINGECKO } from '../coingecko.ts'
import { COINPAPRIKA } from '../coinpaprika.ts'
import { type Asking, countedRequests, regular } from '../requests.ts'
import { BINANCE_KLINES } from './sources/binance-klines.ts'

/** Markets of which workflows/tickers/refresh-tickers.ts reads the hours. */
const PAIRS = 30

export const tickerRequests = countedRequests({
  assumed: {},
  count: () => Promise.resolve({}),
  askings({ planOf, schedule }): Asking[] {
    const { everySeconds: seconds, input } = schedule('refresh-tickers')
    const { exchanges, pages } = input as { exchanges: number; pages: number }
    const gecko = planOf(COINGECKO)
    const paprika = regular({ source: COINPAPRIKA, what: 'volumes of exchanges', each: 1, seconds })
    // CoinGecko names the markets: without it there are none to read hours of.
    if (gecko === null || gecko === 'keyless') return [paprika]
    return [
      paprika,
      regular({ source: COINGECKO, what: 'volumes of exchanges', each: 1, seconds }),
      regular({ source: COINGECKO, what: 'markets of exchanges', each: exchanges * pages, seconds }),
      regular({ source: BINANCE_KLINES, what: 'hours of markets', each: PAIRS, seconds }),
    ]
  },
})
