import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import { BINANCE_KLINES, createBinance } from './sources/binance-candles.ts'
import { COINBASE_CANDLES, createCoinbase } from './sources/coinbase-candles.ts'
import { createCoinGecko } from './sources/coingecko.ts'
import { COINPAPRIKA } from '../coinpaprika.ts'
import { createCoinPaprika } from './sources/coinpaprika.ts'
import { createDefiLlama, DEFILLAMA } from './sources/defillama.ts'
import { createEcb, ECB } from './sources/ecb.ts'
import { createEurofxref, EUROFXREF } from './sources/eurofxref.ts'
import { createFrankfurter, FRANKFURTER } from './sources/frankfurter.ts'
import { createKraken, KRAKEN_OHLC } from './sources/kraken-ohlc.ts'

/** The adapter of each source; null: the source is off. */
export function createPriceSources({ http, config, now }: Pick<ActivityDeps, 'http' | 'config' | 'now'>) {
  const { sources } = config
  const gecko = sources[COINGECKO]
  const paprika = sources[COINPAPRIKA]
  const llama = sources[DEFILLAMA]
  const frankfurter = sources[FRANKFURTER]
  const ecb = sources[ECB]
  const eurofxref = sources[EUROFXREF]
  const binance = sources[BINANCE_KLINES]
  const coinbase = sources[COINBASE_CANDLES]
  const kraken = sources[KRAKEN_OHLC]
  return {
    /** In the order in which they are asked for the past of a coin. */
    exchanges: [
      ...(binance ? [createBinance({ http, now, url: binance.url })] : []),
      ...(coinbase ? [createCoinbase({ http, now, url: coinbase.url })] : []),
      ...(kraken ? [createKraken({ http, now, url: kraken.url })] : []),
    ],
    coingecko: gecko ? createCoinGecko({ http, now, ...gecko }) : null,
    coinpaprika: paprika ? createCoinPaprika({ http, now, ...paprika }) : null,
    defillama: llama ? createDefiLlama({ http, url: llama.url }) : null,
    frankfurter: frankfurter ? createFrankfurter({ http, url: frankfurter.url }) : null,
    ecb: ecb ? createEcb({ http, url: ecb.url }) : null,
    eurofxref: eurofxref ? createEurofxref({ http, url: eurofxref.url }) : null,
  }
}

export type PriceSources = ReturnType<typeof createPriceSources>

/** Returns the adapter. Throws SourceRejected when its source is off. */
export function required<K extends Exclude<keyof PriceSources, 'exchanges'>>(
  sources: PriceSources,
  name: K,
): NonNullable<PriceSources[K]> {
  const source = sources[name]
  if (source === null) throw new SourceRejected(name, 'this source is off')
  return source
}
