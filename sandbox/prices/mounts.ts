import type { Mount } from '../server.ts'
import type { World } from '../world.ts'
import { createCoinGecko } from './coingecko.ts'
import { createCoinPaprika } from './coinpaprika.ts'
import { createDefiLlama } from './defillama.ts'
import { createEcb, createEurofxref } from './ecb.ts'
import { createFrankfurter } from './frankfurter.ts'

export function pricesMounts(world: World): Mount[] {
  return [
    { base: '/coingecko/api/v3', upstream: createCoinGecko(world) },
    { base: '/coinpaprika/v1', upstream: createCoinPaprika(world) },
    { base: '/defillama', upstream: createDefiLlama(world.market) },
    { base: '/frankfurter', upstream: createFrankfurter(world) },
    { base: '/ecb', upstream: createEcb(world) },
    { base: '/eurofxref', upstream: createEurofxref(world) },
  ]
}
