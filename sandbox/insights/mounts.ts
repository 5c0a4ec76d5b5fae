import type { Mount } from '../server.ts'
import type { World } from '../world.ts'
import { createAlternativeMe } from './alternative-me.ts'
import { createCoinMarketCap } from './coinmarketcap.ts'

export function insightsMounts(world: World): Mount[] {
  return [
    { base: '/alternative-me', upstream: createAlternativeMe(world) },
    { base: '/coinmarketcap', upstream: createCoinMarketCap(world) },
  ]
}
