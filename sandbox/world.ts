import * as areas from './areas.ts'
import { type ChainIndex, createChainIndex } from './chain/chain-index.ts'
import type { NetworkId } from './chain/tokens.ts'
import { createExchanges, type Exchanges } from './market/exchanges.ts'
import { createMarket, type Market } from './market/market.ts'
import { createStatistics, type Statistics } from './market/statistics.ts'
import type { Mount } from './server.ts'

/** What the upstreams of all areas agree on. */
export interface World {
  seed: number
  /** Unix seconds around which it is built */
  anchor: number
  market: Market
  statistics: Statistics
  exchanges: Exchanges
  /** of the networks that have a node */
  indexes: ChainIndex[]
}

/** Every simulated upstream with the path that it stands at. */
export function createWorld(options: {
  seed: number
  anchor: number
  rpcUrls: (readonly [NetworkId, string])[]
}): Mount[] {
  const { seed, anchor, rpcUrls } = options
  const market = createMarket(options)
  const statistics = createStatistics(market)
  const exchanges = createExchanges({ market, perUsd: statistics.perUsd })
  const indexes = rpcUrls.map(([network, rpcUrl]) => createChainIndex({ network, rpcUrl }))
  const world: World = { seed, anchor, market, statistics, exchanges, indexes }
  return Object.values(areas).flatMap((mountsOf) => mountsOf(world))
}
