import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { ALTERNATIVE_ME, createAlternativeMe } from './sources/alternative-me.ts'
import { createCoinGeckoTotals } from './sources/coingecko-totals.ts'
import { COINMARKETCAP, createCoinMarketCap } from './sources/coinmarketcap.ts'

/**
 * The adapters of the sources that are on. `indexes` lists the index publishers in the order of preference.
 */
export function createInsightSources({ http, config, now }: Pick<ActivityDeps, 'http' | 'config' | 'now'>) {
  const { sources } = config
  const alternativeMe = sources[ALTERNATIVE_ME]
  const coinmarketcap = sources[COINMARKETCAP]
  const coingecko = sources[COINGECKO]
  return {
    indexes: [
      ...(alternativeMe ? [createAlternativeMe({ http, url: alternativeMe.url })] : []),
      ...(coinmarketcap ? [createCoinMarketCap({ http, now, ...coinmarketcap })] : []),
    ],
    // Other plans refuse past totals, and count the refusals.
    totals:
      coingecko && (coingecko.plan ?? 'full') === 'full'
        ? createCoinGeckoTotals({ http, ...coingecko })
        : null,
  }
}

export type InsightSources = ReturnType<typeof createInsightSources>
