import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import { createKalshi, KALSHI } from './sources/kalshi.ts'
import { createLimitless, LIMITLESS } from './sources/limitless.ts'
import { createManifold, MANIFOLD } from './sources/manifold.ts'
import { createPolymarketClob, POLYMARKET_CLOB } from './sources/polymarket-clob.ts'
import { createPolymarketData, POLYMARKET_DATA } from './sources/polymarket-data.ts'
import { createPolymarketGamma, POLYMARKET_GAMMA } from './sources/polymarket-gamma.ts'
import { createPredictIt, PREDICTIT } from './sources/predictit.ts'

/** Adapters of the venues, created on demand. Throws SourceRejected when the source is off. */
export function createPredictionSources({
  http,
  config,
  now,
}: Pick<ActivityDeps, 'http' | 'config' | 'now'>) {
  const urlOf = (name: string): string => {
    const source = config.sources[name]
    if (!source) throw new SourceRejected(name, 'this source is off')
    return source.url
  }
  // One adapter of these, because they remember: whether the service has version 2, and where the archive begins.
  let data: ReturnType<typeof createPolymarketData> | undefined
  let kalshi: ReturnType<typeof createKalshi> | undefined
  return {
    gamma: () => createPolymarketGamma({ http, url: urlOf(POLYMARKET_GAMMA) }),
    data: () => (data ??= createPolymarketData({ http, now, url: urlOf(POLYMARKET_DATA) })),
    clob: () => createPolymarketClob({ http, url: urlOf(POLYMARKET_CLOB) }),
    kalshi: () => (kalshi ??= createKalshi({ http, now, url: urlOf(KALSHI) })),
    limitless: () => createLimitless({ http, now, url: urlOf(LIMITLESS) }),
    predictit: () => createPredictIt({ http, url: urlOf(PREDICTIT) }),
    manifold: () => createManifold({ http, now, url: urlOf(MANIFOLD) }),
  }
}

export type PredictionSources = ReturnType<typeof createPredictionSources>
