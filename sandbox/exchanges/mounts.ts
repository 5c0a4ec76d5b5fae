import type { Mount } from '../server.ts'
import type { World } from '../world.ts'
import { createBinance } from './binance.ts'
import { createKraken } from './kraken.ts'

export function exchangesMounts(world: World): Mount[] {
  return [
    { base: '/binance', upstream: createBinance(world) },
    { base: '/kraken', upstream: createKraken(world) },
  ]
}
