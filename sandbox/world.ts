import * as areas from './areas.ts'
import { type ChainIndex, createChainIndex } from './chain/chain-index.ts'
import type { NetworkId } from './chain/tokens.ts'
import { createExchanges, type Exchanges } from './market/exchanges.ts'
import { createMarket, type Market } from './market/market.ts'
import { createStatistics, type Statistics } from './market/statistics.ts'
import type { Mount } from './server.ts'

/** Data shared by the upstreams of all areas. */
export interface World {
  seed: number
  /** Unix seconds at which the histories end */
  anchor: number
  market: Market
  statistics: Statistics
  exchanges: Exchanges
  /** one per network that has a node */
  indexes: ChainIndex[]
}

const markets = new Map<string, Pick<World, 'market' | 'statistics'>>()

/** Worlds of one process share a market: it is a function of both numbers, and its extremes take a second. */
function marketOf(options: { seed: number; anchor: number }): Pick<World, 'market' | 'statistics'> {
  const key = `${options.seed} ${options.anchor}`
  const known = markets.get(key)
  if (known) return known
  const market = createMarket(options)
  const created = { market, statistics: createStatistics(market) }
  markets.set(key, created)
  return created
}

/** Creates every simulated upstream with its base path. */
export function createWorld(options: {
  seed: number
  anchor: number
  rpcUrls: (readonly [NetworkId, string])[]
}): Mount[] {
  const { seed, anchor, rpcUrls } = options
  const { market, statistics } = marketOf(options)
  const exchanges = createExchanges({ market, perUsd: statistics.perUsd })
  const indexes = rpcUrls.map(([network, rpcUrl]) => createChainIndex({ network, rpcUrl }))
  const world: World = { seed, anchor, market, statistics, exchanges, indexes }
  return Object.values(areas).flatMap((mountsOf) => mountsOf(world))
}
