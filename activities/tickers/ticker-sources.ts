import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { BINANCE_KLINES, createBinanceKlines } from './sources/binance-klines.ts'
import { createCoinGecko } from './sources/coingecko.ts'
import { COINPAPRIKA } from '../coinpaprika.ts'
import { createCoinPaprika } from './sources/coinpaprika.ts'

/**
 * The adapter of each source; null: the source is off. The prices area declares CoinGecko and CoinPaprika.
 */
export function createTickerSources({ http, config }: Pick<ActivityDeps, 'http' | 'config'>) {
  const gecko = config.sources[COINGECKO]
  const paprika = config.sources[COINPAPRIKA]
  const klines = config.sources[BINANCE_KLINES]
  return {
    // A run takes more calls than an address has without a key.
    coingecko: gecko && gecko.plan !== 'keyless' ? createCoinGecko({ http, ...gecko }) : null,
    coinpaprika: paprika ? createCoinPaprika({ http, ...paprika }) : null,
    binanceKlines: klines ? createBinanceKlines({ http, url: klines.url }) : null,
  }
}

export type TickerSources = ReturnType<typeof createTickerSources>
