import type { Mount } from '../server.ts'
import type { World } from '../world.ts'
import { createBinanceKlines } from './binance-klines.ts'

export function tickersMounts({ exchanges }: World): Mount[] {
  return [{ base: '/binance-klines', upstream: createBinanceKlines(exchanges) }]
}
