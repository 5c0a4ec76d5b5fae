import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { createCoinGecko } from './sources/coingecko.ts'
import { COINPAPRIKA, createCoinPaprika } from './sources/coinpaprika.ts'

/** The adapters of the sources that are on; one that is off is null. Both are declared by the area of prices. */
export function createTickerSources({ http, config }: Pick<ActivityDeps, 'http' | 'config'>) {
  const gecko = config.sources[COINGECKO]
  const paprika = config.sources[COINPAPRIKA]
  return {
    coingecko: gecko ? createCoinGecko({ http, ...gecko }) : null,
    coinpaprika: paprika ? createCoinPaprika({ http, ...paprika }) : null,
  }
}

export type TickerSources = ReturnType<typeof createTickerSources>
